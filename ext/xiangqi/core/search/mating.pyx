"""The solver of mates within a search: its clock, its nodes, its root moves."""

from xiangqi.core.forcing.proofs cimport (
    PROOF_NODES, ProofSearch, close_proofs, open_proofs, prove, read_proof,
)
from xiangqi.core.moves.defs cimport uint64_t
from xiangqi.core.search.root_moves cimport set_mate
from xiangqi.core.search.worker cimport is_interrupted


cdef bint find_proof(Worker* worker, int most, int64_t effort) noexcept nogil:
    """Look for a mate within so many moves until the effort is made, the time is up or the search
    is stopped; make it the first line if there is one that may be played."""
    cdef ProofSearch proof
    cdef uint64_t nodes_before = worker.nodes
    cdef bint settled = False
    cdef bint found
    proof.pos = worker.pos
    if not open_proofs(&proof, effort):
        return False
    while not settled and proof.nodes < effort and not worker.control.stop:
        settled = prove(&proof, most, min(effort, proof.nodes + PROOF_NODES))
        worker.nodes = nodes_before + proof.nodes
        worker.control.stop |= is_interrupted(worker)
    found = proof.found.wins == 0
    if found:
        read_proof(&proof)
        found = set_mate(worker, proof.line, proof.length)
    close_proofs(&proof)
    return found
