"""Work in pieces, done by processes of this machine or by the workers of a Dask cluster."""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial, reduce
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from valet_xl.documents.libraries import loading
from valet_xl.errors import FileError, OptionError, ValetError, one_of
from valet_xl.messages import one_line

if TYPE_CHECKING:  # which take time to load
    from concurrent.futures import ProcessPoolExecutor

ENGINES = ("processes", "dask")
_LOTS = 2  # tasks for each worker: if one is slow or dies, others take what is left
_WAIT = 10.0  # seconds until a scheduler that does not answer is given up
_AGAIN = 3  # times that the pieces of a process which died are given to another

# Dask's workers return freed memory at once, and then take it again for each array: that doubles the time of the work.
# They also look at themselves: at what they run every 10 ms, at their loops every 20, and at their memory every 100.
_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.worker.memory.monitor-interval": "500ms",
}
_MEMORY = [f"distributed.nanny.pre-spawn-environ.MALLOC_{what}_THRESHOLD_" for what in ("TRIM", "MMAP")]
_KEPT = 1 << 28  # bytes
_LARGE = {"distributed.admin.large-graph-warning-threshold": "1GB"}  # where arguments go with the tasks

Piece = TypeVar("Piece")
Found = TypeVar("Found")
Answer_co = TypeVar("Answer_co", covariant=True)
Put = Callable[[Any], object]


class Workers(Protocol):
    """Who does the work: `map` gives what a function makes of each piece, in the order of the pieces."""

    @property
    def count(self) -> int:
        """How many pieces are worked on at the same time."""

    def map(self, function: Callable[[Piece], Found], pieces: Sequence[Piece]) -> Iterator[Found]:
        """What a function makes of pieces; both go to other processes, so the function is that of a module."""

    def fold(
        self, function: Callable[[Found | None, Piece], Found], lots: Sequence[Sequence[Piece]]
    ) -> Iterator[Found]:
        """What a function makes of each lot, of which it gets one piece after the other with what it made before.

        On a Dask cluster a piece may have what `dask.delayed` makes in it.
        """

    def keep(
        self, function: Callable[[Piece, Put], Found], pieces: Sequence[Piece]
    ) -> AbstractContextManager[Kept[Found]]:
        """What a function makes of pieces; and what it puts aside is kept where it was made, for passes over it.

        function : gets a piece, and what takes one thing after the other that is to be kept
        """


class Kept(Protocol[Answer_co]):
    """What was put aside of each piece.

    answers : what the function made of each, in the order of the pieces; to be used up before the first pass
    """

    @property
    def answers(self) -> Iterator[Answer_co]:
        """The answers."""

    def map(self, function: Callable[[Iterable[Any], Any], Found], arguments: Sequence[Any]) -> Iterator[Found]:
        """What a function makes of what was put aside of each piece, and of an argument for it."""


class _Here:
    """This process alone."""

    count = 1

    def map(self, function: Callable[[Piece], Found], pieces: Sequence[Piece]) -> Iterator[Found]:
        return map(function, pieces)

    def fold(
        self, function: Callable[[Found | None, Piece], Found], lots: Sequence[Sequence[Piece]]
    ) -> Iterator[Found]:
        return self.map(partial(_folded, function), lots)

    def keep(
        self, function: Callable[[Piece, Put], Found], pieces: Sequence[Piece]
    ) -> AbstractContextManager[_InFiles[Found]]:
        return _in_files(self, function, pieces)

    def close(self) -> None:
        pass


class _InFiles(Generic[Answer_co]):
    """What was put aside, in a file for each piece that is read in each pass: in memory is one thing at a time."""

    def __init__(self, on: _Here | _Processes, files: Sequence[Path], answers: Iterator[Answer_co]) -> None:
        self._on = on
        self._files = files
        self.answers = answers

    def map(self, function: Callable[[Iterable[Any], Any], Found], arguments: Sequence[Any]) -> Iterator[Found]:
        return self._on.map(partial(_pass, function), list(zip(self._files, arguments, strict=True)))


@contextmanager
def _in_files(
    on: _Here | _Processes, function: Callable[[Piece, Put], Found], pieces: Sequence[Piece]
) -> Iterator[_InFiles[Found]]:
    from tempfile import TemporaryDirectory  # noqa: PLC0415 - it takes time to load

    with TemporaryDirectory(prefix="valet-xl-") as folder:
        files = [Path(folder, str(at)) for at in range(len(pieces))]
        answers = on.map(partial(_put_aside, function), list(zip(pieces, files, strict=True)))
        yield _InFiles(on, files, answers)


def _put_aside(function: Callable[[Piece, Put], Found], work: tuple[Piece, Path]) -> Found:
    """Do the work of a piece, with a file for what is kept of it; what a process left that ended is written again."""
    piece, path = work
    with path.open("wb") as file:
        return function(piece, partial(pickle.dump, file=file, protocol=pickle.HIGHEST_PROTOCOL))


def _pass(function: Callable[[Iterable[Any], Any], Found], work: tuple[Path, Any]) -> Found:
    path, argument = work
    return function(_read_kept(path), argument)


def _read_kept(path: Path) -> Iterator[Any]:
    with path.open("rb") as file:
        while file.peek(1):
            yield pickle.load(file)  # from a folder of our own


def _folded(function: Callable[[Any, Piece], Any], lot: Sequence[Piece]) -> Any:
    return reduce(function, lot, None)


class _Processes:
    """Processes of this machine."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool: ProcessPoolExecutor | None = None

    def keep(
        self, function: Callable[[Piece, Put], Found], pieces: Sequence[Piece]
    ) -> AbstractContextManager[_InFiles[Found]]:
        return _in_files(self, function, pieces)

    def fold(
        self, function: Callable[[Found | None, Piece], Found], lots: Sequence[Sequence[Piece]]
    ) -> Iterator[Found]:
        return self.map(partial(_folded, function), lots)

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def _running(self) -> ProcessPoolExecutor:
        """The processes, which are started once, each when there is work for it."""
        from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - it takes time to load
        from multiprocessing import get_context  # noqa: PLC0415

        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.count, mp_context=get_context("spawn"))
        return self._pool

    def map(self, function: Callable[[Piece], Found], pieces: Sequence[Piece]) -> Iterator[Found]:
        from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - it takes time to load

        if len(pieces) == 1:  # another process would only take time to start
            yield function(pieces[0])
            return
        done = 0
        for turn in range(_AGAIN):
            futures = []
            try:
                pool = self._running()
                futures = [pool.submit(function, piece) for piece in pieces[done:]]
                for future in futures:
                    yield future.result()
                    done += 1
                return
            except BrokenProcessPool as error:
                self.close()
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
        return self._results(self._client.map(function, pieces, pure=False, retries=_AGAIN - 1))

    def fold(
        self, function: Callable[[Found | None, Piece], Found], lots: Sequence[Sequence[Piece]]
    ) -> Iterator[Found]:
        import dask  # noqa: PLC0415 - loaded where it is used

        library: Any = dask  # which has no types
        step = library.delayed(function, pure=False)  # a chain of tasks for each lot
        ends = [reduce(step, lot, None) for lot in lots]
        with dask.config.set(_LARGE):
            return self._results(self._client.compute(ends, retries=_AGAIN - 1))

    @contextmanager
    def keep(self, function: Callable[[Piece, Put], Found], pieces: Sequence[Piece]) -> Iterator[_OnCluster[Found]]:
        both = self._client.map(partial(_held, function), pieces, pure=False, retries=_AGAIN - 1)
        kept = self._client.map(itemgetter(1), both, pure=False)
        try:
            yield _OnCluster(self, kept, self._results(self._client.map(itemgetter(0), both, pure=False)))
        finally:
            self._client.cancel([*kept, *both])

    def over(self, function: Callable[[Iterable[Any], Any], Found], kept: Any, arguments: Any) -> Iterator[Found]:
        """A pass over what the workers keep; if one has died, others make it again."""
        import dask  # noqa: PLC0415 - loaded where it is used

        with dask.config.set(_LARGE):
            futures = self._client.map(function, kept, arguments, pure=False, retries=_AGAIN - 1)
        return self._results(futures)

    def _results(self, futures: list[Any]) -> Iterator[Any]:
        """The results of tasks, one after the other."""
        from distributed import KilledWorker  # noqa: PLC0415 - loaded where it is used

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


class _OnCluster(Generic[Answer_co]):
    """What was put aside, in the memory of a cluster's workers, which write it to their disks if it is too much."""

    def __init__(self, on: _Dask, kept: Any, answers: Iterator[Answer_co]) -> None:
        self._on = on
        self._kept = kept
        self.answers = answers

    def map(self, function: Callable[[Iterable[Any], Any], Found], arguments: Sequence[Any]) -> Iterator[Found]:
        return self._on.over(function, self._kept, arguments)


def _held(function: Callable[[Piece, Put], Found], piece: Piece) -> tuple[Found, list[Any]]:
    """Do the work of a piece, and hold what is kept of it."""
    kept: list[Any] = []
    return function(piece, kept.append), kept


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


def given_or_own(on: Workers | None, processes: int = 0) -> AbstractContextManager[Workers]:
    """The workers that are given, or where none are some processes of this machine, as in `workers`."""
    return workers(processes=processes) if on is None else nullcontext(on)


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
    on = _Processes(count) if count > 1 else _Here()
    try:
        yield on
    finally:
        on.close()


@contextmanager
def _dask(scheduler: str | None, processes: int) -> Iterator[Workers]:
    with loading("distributed", "dask", extra="dask"):
        import dask  # noqa: PLC0415 - loaded where it is used
        import distributed  # noqa: PLC0415
    library: Any = distributed  # which has no types
    if scheduler is None:
        count = processes or os.cpu_count() or 1
        with (
            dask.config.set(dict.fromkeys(_MEMORY, _KEPT) | _QUIET),
            _environment_as_before([*dask.config.get("distributed.nanny.pre-spawn-environ"), "PYTHONHASHSEED"]),
            _own_cluster(library, count) as cluster,
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


@contextmanager
def _environment_as_before(names: Sequence[str]) -> Iterator[None]:
    """Variables that Dask sets in this process when it starts workers, so that only these have them in the end."""
    before = {name: os.environ.get(name) for name in names}
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _own_cluster(library: Any, count: int) -> Any:
    """A cluster of processes of this machine."""
    with warnings.catch_warnings():  # another one that runs has the usual port, which nobody asks for here
        warnings.filterwarnings("ignore", message="Port .* is already in use")
        return library.LocalCluster(n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None)
