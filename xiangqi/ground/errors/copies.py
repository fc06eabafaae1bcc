"""Objects that cannot be copied, since they hold something of this process."""

from __future__ import annotations

from typing import ClassVar, NoReturn, SupportsIndex

__all__ = ["NotCopied", "refuse_copy"]


class NotCopied:
    """Base of classes whose objects refuse to be copied or pickled, with the reason.

    >>> import copy
    >>> class Probe(NotCopied):
    ...     HOLDS = "an open port"
    >>> copy.copy(Probe())
    Traceback (most recent call last):
    TypeError: a Probe cannot be copied or pickled, since it holds an open port
    """

    HOLDS: ClassVar[str]
    """Thing that the objects hold, with an article."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_copy(self, self.HOLDS)


def refuse_copy(thing: object, holds: str) -> NoReturn:
    """Raise TypeError, since the thing ``holds`` what cannot be copied."""
    name = type(thing).__name__
    raise TypeError(f"a {name} cannot be copied or pickled, since it holds {holds}")
