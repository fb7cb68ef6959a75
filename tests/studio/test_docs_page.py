"""The API's description as a page: all of it from this server."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client


@pytest.mark.django_db
def test_the_page_and_all_it_needs_come_from_this_server():
    client = Client()
    page = client.get("/api/docs")
    assert (page.status_code, page["Content-Type"], page["Cache-Control"]) == (200, "text/html; charset=utf-8", "no-store")
    assert "script-src 'self'" in page["Content-Security-Policy"]
    text = page.content.decode()
    assert "//" not in text
    named = re.findall(r'(?:src|href)="(/api[^"]+)"', text)
    assert len(named) == 3
    for address in named:
        file = client.get(address)
        assert file.status_code == 200, address
        assert len(b"".join(file.streaming_content)) > 1_000
        assert client.get(address, headers={"If-None-Match": file["ETag"]}).status_code == 304
    assert not re.search(r"<script(?![^>]*(?:src=|application/json))", text)  # none that the policy would not run
    settings = json.loads(re.search(r'id="swagger-settings">(.*?)</script>', text)[1])
    assert client.get(settings["url"]).json()["info"]["title"] == "Modelyard"
    assert settings["validatorUrl"] is None


@pytest.mark.parametrize("name", ["redoc.standalone.js", "..%2Fopenapi.json", "%2Fetc%2Fpasswd", "x"])
@pytest.mark.django_db
def test_it_gives_out_nothing_else(name: str):
    assert Client().get(f"/api/docs/{name}").status_code == 404
