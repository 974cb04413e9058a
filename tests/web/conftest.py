"""Fixtures of the server's tests: an application, server processes, a browser, PostgreSQL."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests_web import Person, Served, settings_for

from pentagrid.web.app import make_app

CHROMIUM = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


def missing(what, install):
    """Skip the test and say what to install; with CI set, fail."""
    if os.environ.get("CI"):
        pytest.fail(f"{what} is missing: {install}")
    pytest.skip(f"needs {what}: {install}")


@pytest.fixture
def database(tmp_path):
    return f"sqlite:///{tmp_path / 'games.sqlite'}"


@pytest.fixture
def client(database):
    """A client of the application with a fresh store, without a network."""
    with TestClient(make_app(settings_for(database)), "http://testserver", raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def person(client):
    return lambda: Person(client)


@pytest.fixture
def serve(tmp_path):
    """Starts servers; all are stopped in the end."""
    running = []

    def start(*options, database=f"sqlite:///{tmp_path / 'served.sqlite'}", **more):
        running.append(Served(database, *options, **more))
        return running[-1]

    yield start
    for server in running:
        if server.process.poll() is None:
            server.stop()


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, driven by Playwright."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        missing("Chromium", "apt-get install chromium, or your system's like")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    server = Served(f"sqlite:///{tmp_path_factory.mktemp('site') / 'games.sqlite'}")
    yield server
    server.stop()


def is_complaint(said):
    """Errors of scripts and refused requests; that a killed server cannot be reached is expected."""
    return said.type == "error" and "net::ERR_" not in said.text and "WebSocket connection to" not in said.text


@pytest.fixture
def visitor(chromium, site):
    """Opens browsers of different people; any error in their scripts fails the test."""
    contexts, complaints = [], []

    def arrive(address=None, **options):
        context = chromium.new_context(base_url=address or site.address, **options)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if is_complaint(said) else None)
        page.complaints = complaints
        return page

    yield arrive
    for context in contexts:
        context.close()
    assert not complaints


def _postgres_programs():
    initdb = shutil.which("initdb")
    folders = [Path(initdb).parent] if initdb else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None)


@pytest.fixture(scope="session")
def postgres_server():
    """A PostgreSQL server for the tests, on a free port."""
    programs = _postgres_programs()
    if programs is None:
        missing("PostgreSQL", "apt-get install postgresql, or your system's like")
    as_user = []
    folder = Path(tempfile.mkdtemp(prefix="pentagrid-postgres-"))
    if os.getuid() == 0:
        as_user = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    def run(*command):
        done = subprocess.run([*as_user, *map(str, command)], capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr

    data = folder / "data"
    run(programs / "initdb", "-D", data, "-U", "pentagrid", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    run(programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
    yield f"postgresql://pentagrid@127.0.0.1:{port}"
    run(programs / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
    shutil.rmtree(folder)


@pytest.fixture
def postgres(postgres_server):
    """A fresh database."""
    import psycopg

    name = f"games_{time.monotonic_ns()}"
    with psycopg.connect(f"{postgres_server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{postgres_server}/{name}"
