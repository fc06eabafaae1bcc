"""The proof-number solver within a search: clock, node count and root moves."""

from xiangqi.core.forcing.proofs cimport (
    PROOF_NODES, ProofSearch, close_proofs, open_proofs, prove, read_proof,
)
from xiangqi.core.moves.defs cimport uint64_t
from xiangqi.core.search.root_moves cimport set_mate
from xiangqi.core.search.worker cimport is_time_up


cdef bint search_proof(Worker* worker, int moves, int64_t node_limit) noexcept nogil:
    """Search for a mate in up to ``moves`` moves with ``node_limit`` nodes; make it the first line
    if it may be played."""
    cdef ProofSearch proof
    cdef uint64_t nodes_before = worker.nodes
    cdef bint settled = False
    cdef bint found
    proof.pos = worker.pos
    if not open_proofs(&proof, node_limit):
        return False
    while not settled and proof.nodes < node_limit and not worker.control.stop:
        settled = prove(&proof, moves, min(node_limit, proof.nodes + PROOF_NODES))
        worker.nodes = nodes_before + proof.nodes
        worker.control.stop |= is_time_up(worker)
    found = proof.found.wins == 0
    if found:
        read_proof(&proof)
        found = set_mate(worker, proof.line, proof.length)
    close_proofs(&proof)
    return found
