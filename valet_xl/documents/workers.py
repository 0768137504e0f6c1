"""Work in pieces, done by processes of this machine or by the workers of a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Protocol, TypeVar

from valet_xl.documents.libraries import loading
from valet_xl.errors import FileError, OptionError, ValetError, one_of
from valet_xl.messages import one_line

ENGINES = ("processes", "dask")
_LOTS = 2  # tasks for each worker: if one is slow or dies, others take what is left
_WAIT = 10.0  # seconds until a scheduler that does not answer is given up
_AGAIN = 3  # times that the pieces of a process which died are given to another

# Dask's workers return freed memory at once, and then take it again for each array: that doubles the time of the work.
_MEMORY = [f"distributed.nanny.pre-spawn-environ.MALLOC_{what}_THRESHOLD_" for what in ("TRIM", "MMAP")]
_KEPT = 1 << 28  # bytes

Piece = TypeVar("Piece")
Found = TypeVar("Found")


class Workers(Protocol):
    """Who does the work: `map` gives what a function makes of each piece, in the order of the pieces."""

    @property
    def count(self) -> int:
        """How many pieces are worked on at the same time."""

    def map(self, function: Callable[[Piece], Found], pieces: Sequence[Piece]) -> Iterator[Found]:
        """What a function makes of pieces; both go to other processes, so the function is that of a module."""


class _Here:
    """This process alone."""

    count = 1

    def map(self, function: Callable[[Piece], Found], pieces: Sequence[Piece]) -> Iterator[Found]:
        return map(function, pieces)


class _Processes:
    """Processes of this machine."""

    def __init__(self, count: int) -> None:
        self.count = count

    def map(self, function: Callable[[Piece], Found], pieces: Sequence[Piece]) -> Iterator[Found]:
        from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - it takes time to load
        from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415
        from multiprocessing import get_context  # noqa: PLC0415

        if len(pieces) == 1:  # another process would only take time to start
            yield function(pieces[0])
            return
        done = 0
        for turn in range(_AGAIN):
            with ProcessPoolExecutor(min(self.count, len(pieces)), mp_context=get_context("spawn")) as pool:
                futures = [pool.submit(function, piece) for piece in pieces[done:]]
                try:
                    for future in futures:
                        yield future.result()
                        done += 1
                    return
                except BrokenProcessPool as error:
                    if turn == _AGAIN - 1:
                        raise FileError(
                            f"a process ended {_AGAIN} times before its work was done, as where memory runs out "
                            "(fewer processes need less)"
                        ) from error
                finally:
                    for future in futures:
                        future.cancel()


class _Dask:
    """The workers of a Dask cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client

    @property
    def count(self) -> int:
        return max(sum(self._client.nthreads().values()), 1)

    def map(self, function: Callable[[Piece], Found], pieces: Sequence[Piece]) -> Iterator[Found]:
        from distributed import KilledWorker  # noqa: PLC0415 - loaded where it is used

        futures = self._client.map(function, pieces, pure=False, retries=2)
        try:
            for at, future in enumerate(futures):
                yield future.result()
                futures[at] = None  # the cluster may forget it
        except ValetError:
            raise
        except KilledWorker as error:
            raise FileError(
                f"the cluster: workers ended again and again at one piece ({one_line(error)[:200]})"
            ) from error
        except OSError as error:
            raise FileError(f"the cluster: the connection was lost ({one_line(error)[:200]})") from error
        finally:
            self._client.cancel([future for future in futures if future is not None])


def on_client(client: Any) -> Workers:
    """The workers that a Dask client (`distributed.Client`) is connected to."""
    return _Dask(client)


def workers(
    engine: str = "processes", *, scheduler: str | None = None, processes: int = 0
) -> AbstractContextManager[Workers]:
    """Workers, for as long as they are needed.

    Parameters
    ----------
    engine : "processes", of this machine; "dask"
    scheduler : the address of a Dask scheduler, such as tcp://10.0.0.1:8786; without one Dask starts workers here
    processes : how many processes on this machine; 0, one per core; with 1 there is no other process than this one

    Raises
    ------
    OptionError : for another engine
    FileError : where Dask is not installed, or its scheduler does not answer
    """
    one_of("engine", engine, ENGINES)
    if engine != "dask":
        refuse_scheduler(scheduler)
    return _dask(scheduler, processes) if engine == "dask" else _here(processes)


def refuse_scheduler(scheduler: str | None) -> None:
    """Refuse a scheduler where Dask is not asked for.

    Raises
    ------
    OptionError : where there is one
    """
    if scheduler is not None:
        raise OptionError(f"scheduler {scheduler!r} is of Dask (expected the engine dask with it)")


def in_lots(pieces: Sequence[Piece], count: int) -> list[list[Piece]]:
    """Pieces in about as many lots of neighbours as keep so many workers busy, each of which is one task.

    >>> in_lots(range(5), 1)
    [[0, 1, 2], [3, 4]]
    """
    lots = min(len(pieces), _LOTS * count)
    ends = [-(-len(pieces) * (at + 1) // lots) for at in range(lots)]
    return [list(pieces[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


@contextmanager
def _here(processes: int) -> Iterator[Workers]:
    count = processes or os.cpu_count() or 1
    yield _Processes(count) if count > 1 else _Here()


@contextmanager
def _dask(scheduler: str | None, processes: int) -> Iterator[Workers]:
    with loading("distributed", "dask", extra="dask"):
        import dask  # noqa: PLC0415 - loaded where it is used
        import distributed  # noqa: PLC0415
    library: Any = distributed  # which has no types
    if scheduler is None:
        count = processes or os.cpu_count() or 1
        with (
            dask.config.set(dict.fromkeys(_MEMORY, _KEPT)),
            library.LocalCluster(
                n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster,
            library.Client(cluster) as client,
        ):
            yield _Dask(client)
        return
    try:
        with dask.config.set({"distributed.comm.timeouts.connect": _WAIT}):
            client = library.Client(scheduler, timeout=_WAIT)
    except (OSError, ValueError, TimeoutError) as error:
        raise FileError(
            f"{scheduler}: no Dask scheduler answers ({one_line(error)[:120]}; expected an address such as "
            "tcp://10.0.0.1:8786, which dask scheduler shows when it starts)"
        ) from error
    with client:
        if not client.nthreads():
            raise FileError(f"{scheduler}: the scheduler has no workers (start some with: dask worker {scheduler})")
        yield _Dask(client)
