"""Collecting from addresses, folders and buckets: what comes, what is refused, and that nothing inside can be reached."""

from __future__ import annotations

import ipaddress
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from studio.accounts.models import AuditRow
from studio.datasets.files.reasons import REASONS
from studio.datasets.handlers import job_ended, job_run
from studio.datasets.models import Item, LabelSource, Reject, Upload
from studio.datasets.uploads.sources.collect import SourceRefusedError, source_collect
from studio.datasets.uploads.sources.guard import address_is_open, networks_read
from studio.datasets.uploads.sources.kinds import BucketSource, FolderSource, UrlsSource, _columns
from studio.datasets.uploads.sources.secret import secret_open, secret_seal
from studio.datasets.uploads.sources.web import Fetcher, FetchRefusedError, url_parse, url_show
from studio.jobs.models import Job
from tests.support.project_setup import InMemoryReporter, picture
from tests.support.services import seaweed

CLOSED = [
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",  # metadata of a cloud
    "127.0.0.1",
    "127.8.8.8",
    "168.63.129.16",  # the same of another
    "169.254.169.254",  # and of most
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::a00:1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::",
    "2001:0:4136:e378:8000:63bf:f5ff:fffe",  # Teredo with a private client behind it
    "2001:db8::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "100::1",
]
OPEN = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "::ffff:8.8.8.8", "64:ff9b::808:808", "2606:4700:4700::1111"]


@pytest.mark.parametrize("address", CLOSED)
def test_what_lies_inside_is_closed(address):
    assert not address_is_open(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", OPEN)
def test_the_public_net_is_open(address):
    assert address_is_open(ipaddress.ip_address(address))


def test_the_operator_opens_networks():
    allowed = networks_read(["10.1.0.0/16", "fd00::/8"])
    assert address_is_open(ipaddress.ip_address("10.1.2.3"), allowed=allowed)
    assert address_is_open(ipaddress.ip_address("fd00::5"), allowed=allowed)
    assert not address_is_open(ipaddress.ip_address("10.2.0.1"), allowed=allowed)
    assert not address_is_open(ipaddress.ip_address("::ffff:10.2.0.1"), allowed=allowed)


SPELLINGS = [
    "http://127.0.0.1:{port}/a.png",
    "http://localhost:{port}/a.png",
    "http://127.1:{port}/a.png",
    "http://2130706433:{port}/a.png",
    "http://0x7f000001:{port}/a.png",
    "http://0177.0.0.1:{port}/a.png",
    "http://0:{port}/a.png",
    "http://[::1]:{port}/a.png",
    "http://[::ffff:127.0.0.1]:{port}/a.png",
    "http://[::ffff:7f00:1]:{port}/a.png",
    "http://①②⑦.0.0.1:{port}/a.png",
    "http://127.0.0.1.:{port}/a.png",
]


class Site(BaseHTTPRequestHandler):
    """Answers by the path; counts what it was asked."""

    protocol_version = "HTTP/1.1"
    requested: ClassVar[list[str]] = []
    redirects: ClassVar[dict[str, str]] = {}

    def do_GET(self):  # noqa: PLR0911
        type(self).requested.append(self.path)
        path = self.path.partition("?")[0]
        if path in self.redirects:
            return self._answer(302, b"", Location=self.redirects[path])
        if path == "/large.bin":
            self.send_response(200)
            self.end_headers()
            try:
                for _ in range(64):
                    self.wfile.write(bytes(2**20))
            except OSError:
                pass
            self.close_connection = True
            return None
        if path == "/drip.bin":
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            try:
                for _ in range(200):
                    self.wfile.write(b"x")
                    self.wfile.flush()
                    threading.Event().wait(0.02)
            except OSError:
                pass
            return None
        if path.startswith("/pic"):
            return self._answer(200, picture(int(path[4:-4] or 0)))
        if path == "/secret.png":
            return self._answer(403, b"")
        if path == "/words.png":
            return self._answer(200, b"<html>")
        return self._answer(404, b"")

    def _answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        return


@pytest.fixture
def site():
    """A web site on this machine; yields its address."""
    Site.requested, Site.redirects = [], {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


LOOPBACK = networks_read(["127.0.0.1/32"])


def refusal(url: str, **options) -> str:
    fetcher = Fetcher(**options)
    try:
        with pytest.raises(FetchRefusedError) as refused:
            fetcher.fetch(url)
    finally:
        fetcher.close()
    assert refused.value.code in REASONS
    return refused.value.code


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_spelling_of_this_machine_is_reached(site, spelling):
    assert refusal(spelling.format(port=site.rpartition(":")[2])) in {"address_refused", "url_unreachable"}
    assert Site.requested == []


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://example.org/a.png", "url_invalid"),
        ("file:///etc/passwd", "url_invalid"),
        ("gopher://example.org/", "url_invalid"),
        ("//example.org/a.png", "url_invalid"),
        ("a.png", "url_invalid"),
        ("http://", "url_invalid"),
        ("http://exa mple.org/", "url_invalid"),
        ("http://[::1/", "url_invalid"),
        ("http://example.org:99999/", "url_invalid"),
        ("http://user:pass@example.org/a.png", "url_with_password"),
        ("http://example.org@169.254.169.254/", "url_with_password"),
    ],
)
def test_what_is_no_plain_address_is_refused(url, code):
    with pytest.raises(FetchRefusedError) as refused:
        url_parse(url)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "place",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://[::1]:{port}/pic1.png",
        "http://127.0.0.2:{port}/pic1.png",
        "//0x7f000002:{port}/pic1.png",
    ],
)
def test_redirects_are_judged_anew(site, place):
    Site.redirects["/go"] = place.format(port=site.rpartition(":")[2])
    assert refusal(f"{site}/go", allowed=LOOPBACK) == "address_refused"
    assert Site.requested == ["/go"]


@pytest.mark.parametrize(
    ("place", "code"),
    [("file:///etc/passwd", "url_invalid"), ("http://a:b@127.0.0.1/", "url_with_password"), ("/round", "too_many_redirects")],
)
def test_redirects_to_what_is_no_address_end(site, place, code):
    Site.redirects["/round"] = place
    assert refusal(f"{site}/round", allowed=LOOPBACK) == code


def test_a_redirect_within_the_open_is_followed(site):
    Site.redirects["/go"] = "/pic3.png?x=1"
    fetcher = Fetcher(allowed=LOOPBACK)
    assert fetcher.fetch(f"{site}/go") == picture(3)
    fetcher.close()


def test_the_connection_goes_to_the_address_that_was_judged(site, monkeypatch):
    """A name that answers first with an open address and then with a closed one is asked once."""
    answers = iter(["127.0.0.1", "127.0.0.2"])
    really = socket.getaddrinfo

    def resolve(host, port, *args, **options):
        if host != "rebinding.example":
            return really(host, port, *args, **options)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    monkeypatch.setattr("studio.datasets.uploads.sources.guard.socket.getaddrinfo", resolve)
    fetcher = Fetcher(allowed=LOOPBACK)
    port = site.rpartition(":")[2]
    assert fetcher.fetch(f"http://rebinding.example:{port}/pic1.png") == picture(1)
    fetcher.close()
    assert refusal(f"http://rebinding.example:{port}/pic1.png", allowed=LOOPBACK) == "address_refused"


def test_one_closed_address_of_several_is_enough(monkeypatch):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80)) for address in ("8.8.8.8", "10.0.0.1")]
    monkeypatch.setattr("studio.datasets.uploads.sources.guard.socket.getaddrinfo", lambda *_args, **_options: found)
    assert refusal("http://two.example/a.png") == "address_refused"


def test_size_and_time_are_bounded(site):
    assert refusal(f"{site}/large.bin", allowed=LOOPBACK, max_bytes=2**20) == "file_too_large"
    fetcher = Fetcher(allowed=LOOPBACK)
    with pytest.raises(FetchRefusedError, match="url_too_slow"):
        fetcher.fetch(f"{site}/drip.bin", whole_timeout_s=0.2)
    fetcher.close()


def test_an_address_is_shown_without_its_secrets():
    assert url_show("https://u:p@example.org/a.png?token=abc#x") == "https://example.org/a.png"


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        ("http://a.org/1.png", ("http://a.org/1.png", "")),
        ("http://a.org/1.png,cat", ("http://a.org/1.png", "cat")),
        ('"http://a.org/1.png","cat|dog"', ("http://a.org/1.png", "cat|dog")),
        ("http://a.org/1.png\tred rose", ("http://a.org/1.png", "red rose")),
        ("http://a.org/w_200,h_100/1.png", ("http://a.org/w_200,h_100/1.png", "")),
    ],
)
def test_lines_of_addresses_are_read(line, columns):
    assert _columns(line) == columns


def collected(setup, source, *, labels="none") -> tuple[Upload, Job, dict[str, str]]:
    upload, job = source_collect(dataset=setup.dataset, actor=setup.actor, source=source, labels=LabelSource(labels))
    job = Job.objects.get(id=job.id)
    job_run(job, InMemoryReporter())
    job_ended(job)
    upload.refresh_from_db()
    return upload, job, dict(Reject.objects.filter(upload=upload).values_list("name", "code"))


def test_addresses_become_labelled_pictures_and_failures_are_listed(setup, site, settings):
    settings.SOURCE_NETWORKS = ["127.0.0.1/32"]
    lines = ["url,label", *(f"{site}/pic{number}.png,{'odd' if number % 2 else 'even'}" for number in range(10))]
    lines += [
        f"{site}/gone.png",
        f"{site}/secret.png?key=hidden",
        f"{site}/words.png",
        "http://10.0.0.1/a.png",
        "no address",
        "",
    ]
    upload, _, rejects = collected(setup, UrlsSource(text="\n".join(lines)))
    assert (upload.state, upload.num_items, upload.num_labelled) == ("done", 10, 10)
    assert sorted(rejects.values()) == [
        "address_refused",
        "not_a_picture",
        "url_answered_otherwise",
        "url_invalid",
        "url_not_there",
    ]
    assert "hidden" not in json.dumps(rejects)
    host = site.removeprefix("http://").partition(":")[0]
    item = Item.objects.get(name=f"{host}/pic3.png")
    assert [one["label"] for one in item.annotations] == ["odd"]


def test_collecting_again_after_a_crash_fetches_the_rest_only(setup, site, settings, monkeypatch):
    settings.SOURCE_NETWORKS = ["127.0.0.1/32"]
    monkeypatch.setattr("studio.datasets.items.kinds.image.Pictures.files_at_once", 4)
    text = "\n".join(f"{site}/pic{number}.png" for number in range(12))
    upload, job = source_collect(
        dataset=setup.dataset, actor=setup.actor, source=UrlsSource(text=text), labels=LabelSource.NONE
    )
    job = Job.objects.get(id=job.id)

    class Crashing(InMemoryReporter):
        def progress(self, stage, fraction, remaining_s=None):
            super().progress(stage, fraction, remaining_s)
            if fraction > 0.5:
                raise ConnectionError

    with pytest.raises(ConnectionError):
        job_run(job, Crashing())
    before = Item.objects.count()
    assert 0 < before < 12
    Site.requested.clear()
    job_run(job, InMemoryReporter())
    upload.refresh_from_db()
    assert (Item.objects.count(), upload.num_items) == (12, 12)
    assert len(Site.requested) == 12 - before


def test_a_folder_of_the_server_must_be_opened(setup, tmp_path, settings):
    place = tmp_path / "opened" / "flowers"
    (place / "rose").mkdir(parents=True)
    (place / "rose" / "1.png").write_bytes(picture(1))
    (place / "2.png").write_bytes(picture(2))
    (place / "rose" / "link.png").symlink_to("/etc/passwd")
    (place / ".hidden.png").write_bytes(picture(3))
    (tmp_path / "closed").mkdir()
    (tmp_path / "opened" / "way-out").symlink_to(tmp_path / "closed")
    for path in (place, "/etc", "relative", f"{tmp_path}/opened/../closed", "/nowhere", "\0"):
        with pytest.raises(SourceRefusedError):
            collected(setup, FolderSource(path=str(path)))
    settings.SOURCE_FOLDERS = (str(tmp_path / "opened"),)
    for path in ("/etc", f"{tmp_path}/opened/../closed", tmp_path / "opened" / "way-out"):
        with pytest.raises(SourceRefusedError):
            collected(setup, FolderSource(path=str(path)))
    upload, _, rejects = collected(setup, FolderSource(path=str(place)), labels="folder")
    assert (upload.name, upload.num_items, upload.num_labelled) == ("flowers", 2, 1)
    assert rejects == {"rose/link.png": "link_entry"}


def test_a_bucket_is_collected_and_its_keys_are_forgotten(setup, tmp_path, settings):
    from io import BytesIO

    from minio import Minio

    (tmp_path / "s3").mkdir()
    with seaweed(tmp_path / "s3") as (endpoint, access_key, secret_key):
        client = Minio(endpoint.removeprefix("http://"), access_key=access_key, secret_key=secret_key, secure=False)
        client.make_bucket("pictures")
        files = {"set/rose/红 1.png": picture(1), "set/tulip/2.png": picture(2), "other/3.png": picture(3), "set/bad.png": b""}
        for name, data in files.items():
            client.put_object("pictures", name, BytesIO(data), len(data))
        source = BucketSource(endpoint=endpoint, bucket="pictures", prefix="set/", access_key=access_key, secret_key=secret_key)
        _, _, rejects = collected(setup, source)
        assert rejects == {"s3://pictures/set": "address_refused"}  # this machine is closed until it is opened
        settings.SOURCE_NETWORKS = ["127.0.0.0/8"]
        upload, job, rejects = collected(setup, source, labels="folder")
        assert rejects == {"bad.png": "empty_file"}
        assert set(Item.objects.values_list("name", flat=True)) == {"rose/红 1.png", "tulip/2.png"}
        assert upload.num_labelled == 2
        wrong = source.model_copy(update={"secret_key": "wrong-secret-of-some-length"})
        _, _, rejects = collected(setup, wrong)
        assert rejects == {"s3://pictures/set": "bucket_refused"}
    for text in (json.dumps(Job.objects.get(id=job.id).payload), *(json.dumps(row.detail) for row in AuditRow.objects.all())):
        assert secret_key not in text
        assert "sealed" not in text
    assert secret_key not in json.dumps(job.payload)
    assert AuditRow.objects.filter(action="data.collect").count() == 3


def test_a_sealed_text_opens_with_the_same_key_only(settings):
    sealed = secret_seal("keys")
    assert "keys" not in sealed
    assert secret_open(sealed) == "keys"
    settings.SECRET_KEY = "another key of sufficient length for this"
    with pytest.raises(ValueError, match="MAC"):
        secret_open(sealed)


def test_the_endpoint_orders_a_collection(setup, site):
    client = setup.client()
    url = f"/api/datasets/{setup.dataset.id}/sources"
    assert client.get(url).json() == {"folders": []}
    answer = client.post(url, {"source": {"kind": "urls", "text": f"{site}/pic1.png"}}, content_type="application/json")
    assert answer.status_code == 202, answer.content
    assert answer.json()["job"]["kind"] == "collect"
    refused = client.post(url, {"source": {"kind": "folder", "path": "/etc"}}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (422, "source_refused")
