"""Parquet files at addresses: in a stand-in for S3 and on a web server of this machine, as users configure them."""

from __future__ import annotations

import functools
import http.server
import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import fsspec.registry  # noqa: F401 - loads it
import pyarrow.parquet as pq
import pytest
from test_parquet import here, run
from test_sums import assert_same

from valet_xl.documents.workers import on_client, workers
from valet_xl.rankings.simulate import simulate
from valet_xl.sheets.bulk import total_files
from valet_xl.sheets.parquet_file import write_results

_REGISTRY = sys.modules["fsspec.registry"]._registry  # fsspec.registry itself is what it shows of it
BUCKET = "s3://nights/2024"
USER = {"AWS_ACCESS_KEY_ID": "user", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of four files."""
    folder = tmp_path_factory.mktemp("nights")
    for seed in range(4):
        event = simulate(pairs=12, rounds=4, boards=2, seed=seed)
        write_results(folder / f"{seed}.parquet", event.results, f"Night {seed}")
    return folder


@pytest.fixture(scope="module")
def store(nights: Path) -> Iterator[str]:
    """The address of a stand-in for S3, with the files in a bucket and the environment of its user."""
    moto = pytest.importorskip("moto.server")
    s3fs = pytest.importorskip("s3fs")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**USER, "AWS_ENDPOINT_URL": address}.items():
            patch.setenv(name, value)
        s3fs.S3FileSystem.clear_instance_cache()
        bucket = s3fs.S3FileSystem()
        bucket.mkdir("nights")
        for path in sorted(nights.iterdir()):
            bucket.pipe(f"nights/2024/{path.name}", path.read_bytes())
        bucket.pipe("nights/notes.txt", b"no results")
        yield address
        s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


@pytest.mark.slow
@pytest.mark.parametrize("address", [f"{BUCKET}/*.parquet", BUCKET, "s3://nights"])
def test_a_bucket_is_ranked_by_the_command(store, nights, address):
    done = run("rank", address, "--processes", 2, "--format", "csv")
    assert done.exit_code == 0, done.output
    assert done.output == run("rank", nights, "--processes", 1, "--format", "csv").output


@pytest.mark.slow
def test_a_bucket_is_scored_into_a_folder_here(store, nights, tmp_path):
    done = run("score", f"{BUCKET}/*.parquet", "--output", tmp_path / "out", "--processes", 1)
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(path.name for path in nights.iterdir())
    assert "bid" in pq.read_schema(tmp_path / "out" / "0.parquet").names


@pytest.mark.slow
def test_workers_of_a_cluster_read_the_bucket(store, nights):
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        assert_same(total_files([f"{BUCKET}/*.parquet"], on=on_client(client)).pairs, here(nights).pairs)


@pytest.mark.slow
def test_what_is_wrong_with_a_bucket_is_said(store, monkeypatch):
    for address, said in (
        ("s3://nobody/*.parquet", "s3://nobody/*.parquet: no such file"),
        ("s3://nobody/x.parquet", "s3://nobody/x.parquet: no such file"),
        (f"{BUCKET}/none.parquet", "no such file"),
        ("s3://nights/notes.txt", "cannot be read as Parquet"),
    ):
        done = run("rank", address, "--processes", 1)
        assert (done.exit_code, said in done.output, "Traceback" in done.output) == (2, True, False), done.output
    import s3fs

    for name in USER:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", "/nowhere")  # where a user's own keys could be
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    s3fs.S3FileSystem.clear_instance_cache()
    done = run("rank", f"{BUCKET}/*.parquet", "--processes", 1)
    assert (done.exit_code, "redentials" in done.output, "Traceback" in done.output) == (2, True, False), done.output
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    for name, value in USER.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    s3fs.S3FileSystem.clear_instance_cache()
    done = run("rank", f"{BUCKET}/*.parquet", "--processes", 1)
    assert (done.exit_code, "127.0.0.1:9" in done.output, "Traceback" in done.output) == (2, True, False), done.output
    s3fs.S3FileSystem.clear_instance_cache()


def test_a_library_that_is_not_installed_is_named(monkeypatch):
    for library, protocol in (("s3fs", "s3"), ("gcsfs", "gs")):
        monkeypatch.setitem(sys.modules, library, None)
        monkeypatch.delitem(_REGISTRY, protocol, raising=False)
    for address, library in (("s3://bucket/x.parquet", "s3fs"), ("gs://bucket/x.parquet", "gcsfs")):
        done = run("rank", address)
        assert (done.exit_code, library in done.output, "Traceback" in done.output) == (2, True, False), done.output
    done = run("rank", "nonsense://bucket/x.parquet")
    assert (done.exit_code, "nonsense" in done.output, "Traceback" in done.output) == (2, True, False), done.output


@pytest.fixture
def web(nights: Path) -> Iterator[str]:
    """The address of a web server with the files."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(nights))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_files_of_a_web_server_are_ranked(web, nights):
    pytest.importorskip("aiohttp")
    with workers(processes=1) as on:
        found = total_files([f"{web}/{path.name}" for path in sorted(nights.iterdir())], on=on)
    assert_same(found.pairs, here(nights).pairs)
    done = run("rank", f"{web}/none.parquet", "--processes", 1)
    assert (done.exit_code, "no such file" in done.output) == (2, True), done.output
