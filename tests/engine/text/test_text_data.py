"""Texts as every runtime reads them: bytes to ids, cached rows, vocabularies that do not depend on chance."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import chain

import numpy as np
import pytest
import torch
from tokenizers import Regex, Tokenizer, pre_tokenizers

from automl.contracts.dataset import ItemRecord, MediaFacts, Split, record_from_row, record_to_row
from engine.data import text_tokens
from engine.data.text import PAD_ID, TextTokenizer, TextUnreadableError, decode_text, limited, trimmed
from engine.data.text_tokens import PackedTokens
from engine.data.text_vocabulary import NUM_SPECIAL, UNKNOWN_ID, characters, plain_characters, words
from engine.data.version import DatasetVersion
from engine.tasks.text_classification import example
from tests.engine.jobs import REPOSITORY

TEXTS = ("Ｈello  World", "你好，世界！", "hello\nagain", "", "世界")


def test_bytes_become_text_or_say_where_they_fail():
    assert decode_text("\ufeff 你好 \n".encode()) == "你好"
    with pytest.raises(TextUnreadableError, match="byte 2") as caught:
        decode_text(b"ab\xff")
    assert caught.value.code == "text_unreadable"


def test_characters_are_folded_and_unknown_ones_marked():
    tokenizer = TextTokenizer(characters(TEXTS, num_ids=64, max_tokens=6))
    assert tokenizer.ids("HELLO WORLD") == tokenizer.ids("hello \t world") == tokenizer.ids("Ｈｅｌｌｏ Ｗｏｒｌｄ")
    assert len(tokenizer.ids("hello world")) == 6
    assert tokenizer.ids("世z界")[1] == UNKNOWN_ID
    assert tokenizer.ids("") == [PAD_ID]


def test_characters_are_cut_out_as_a_pattern_would():
    """The model of characters takes texts apart by itself: the same ids, in half the time."""
    definition = characters(TEXTS, num_ids=12, max_tokens=99)
    apart = Tokenizer.from_str(definition)
    apart.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    tokenizer = TextTokenizer(definition)
    assert [tokenizer.ids(text) for text in TEXTS if text] == [apart.encode(text).ids for text in TEXTS if text]


def test_plain_characters_have_the_ids_of_what_they_stand_for():
    texts = [text.replace("  ", " ") for text in TEXTS]
    folded, plain = (TextTokenizer(learn(texts, num_ids=64, max_tokens=6)) for learn in (characters, plain_characters))
    for text in ("HELLO W", "Ｈｅｌｌｏ", "世z界", "你 好", "ａＧＡin", ""):
        assert plain.ids(text) == folded.ids(text)
    assert plain.ids("hello\u3000w") == plain.ids("hello\tw") == plain.ids("hello w")
    assert plain.ids("a  b") != plain.ids("a b"), "white space is not drawn together"
    assert plain.rows(["hello, world", "A"]).tolist() == [plain.ids("hello, world"), [*plain.ids("a"), *[PAD_ID] * 5]]


def test_words_are_words_and_single_characters_of_chinese():
    tokenizer = TextTokenizer(words(TEXTS, num_ids=64, max_tokens=6))
    assert len(tokenizer.ids("Hello, 世界")) == 4
    assert tokenizer.ids("hello") == tokenizer.ids("HELLO") != [UNKNOWN_ID]
    assert tokenizer.ids("nobody") == [UNKNOWN_ID]


def test_rarer_tokens_are_left_out_first():
    tokenizer = TextTokenizer(characters(["aab", "abc", "c"], num_ids=NUM_SPECIAL + 2, max_tokens=9))
    assert tokenizer.ids("abc") == [NUM_SPECIAL, NUM_SPECIAL + 1, UNKNOWN_ID]  # b and c occur as often; b comes first


@pytest.mark.parametrize("learn", [characters, plain_characters, words])
def test_same_texts_give_the_same_tokenizer_in_another_process(learn):
    program = (
        f"from engine.data.text_vocabulary import {learn.__name__} as learn; import sys;"
        f"sys.stdout.buffer.write(learn({TEXTS!r}, num_ids=20, max_tokens=8).encode())"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, capture_output=True, check=True)
    assert done.stdout.decode() == learn(TEXTS, num_ids=20, max_tokens=8)


def test_tokenizer_file_says_where_to_cut_and_how_to_pad():
    definition = limited(characters(TEXTS, num_ids=64, max_tokens=99), max_tokens=3, pad_id=1, pad_token="[UNK]")
    tokenizer = TextTokenizer(definition)
    assert (tokenizer.max_tokens, tokenizer.pad_id) == (3, 1)
    assert tokenizer.rows(["hello", "h"]).tolist() == [tokenizer.ids("hello"), [*tokenizer.ids("h"), 1, 1]]
    with pytest.raises(ValueError, match="cuts off"):
        TextTokenizer(json.dumps(json.loads(definition) | {"truncation": None}))
    with pytest.raises(ValueError, match="no tokenizer"):
        TextTokenizer(definition[:50])


def test_batch_is_as_long_as_its_longest_text():
    assert trimmed(np.array([[5, 6, 0, 0], [7, 0, 0, 0]], dtype=np.int32), 0).tolist() == [[5, 6], [7, 0]]
    assert trimmed(np.zeros((2, 4), dtype=np.int32), 0).tolist() == [[0], [0]]


def test_texts_of_one_batch_are_padded_to_the_longest():
    tokenizer = TextTokenizer(characters(TEXTS, num_ids=64, max_tokens=6))
    texts = ["世界", "你好，世界！你好", ""]
    np.testing.assert_array_equal(tokenizer.batch(texts), trimmed(tokenizer.rows(texts), PAD_ID))
    assert tokenizer.batch(["", ""]).tolist() == [[PAD_ID], [PAD_ID]]


def test_packed_tokens_equal_tokenising_each(monkeypatch, tmp_path):
    example.write(tmp_path / "data", num_items=24)
    version = DatasetVersion.open(tmp_path / "data")
    records = version.records()
    texts = [version.blob_path(record.blob).read_text(encoding="utf-8") for record in records]
    tokenizer = TextTokenizer(characters(texts, num_ids=200, max_tokens=16))
    packed = PackedTokens.open_or_build(version, tmp_path / "cache", tokenizer)
    chosen = [records[7], records[2]]
    rows = packed.indices(chosen)
    for ids, text in zip(packed.graph_input(rows), (texts[7], texts[2]), strict=True):
        assert [int(one) for one in ids if one != PAD_ID] == tokenizer.ids(text)
    everything = packed.indices(records)
    lengths = [[len(tokenizer.ids(texts[place])) for place in places] for places in packed.batches(everything, 5)]
    assert [len(batch) for batch in lengths] == [5, 5, 5, 5, 4]
    assert list(chain(*lengths)) == sorted(chain(*lengths))
    monkeypatch.setattr(text_tokens, "_LONG_TOKENS", 6)
    fewer = [[len(tokenizer.ids(texts[place])) for place in places] for places in packed.batches(everything, 5)]
    assert list(chain(*fewer)) == list(chain(*lengths))
    assert all(len(batch) == 1 or len(batch) * max(batch) <= 5 * 6 for batch in fewer)
    given = packed.network_input(torch.from_numpy(np.array(packed.array[rows])), torch.device("cpu"))
    assert given.dtype == torch.int64
    assert given.tolist() == packed.graph_input(rows).tolist()
    again = PackedTokens.open_or_build(version, tmp_path / "cache", tokenizer)
    assert np.array_equal(again.array, packed.array)
    assert len(list((tmp_path / "cache" / "tokens").glob("dsv_*[!k]"))) == 1


def test_texts_that_cannot_be_read_are_all_named(tmp_path):
    example.write(tmp_path / "data", num_items=12)
    version = DatasetVersion.open(tmp_path / "data")
    broken = version.records()[3], version.records()[5]
    version.blob_path(broken[0].blob).write_bytes(b"\xff\xfe\xff")
    version.blob_path(broken[1].blob).unlink()
    with pytest.raises(TextUnreadableError, match=broken[0].name) as caught:
        PackedTokens.open_or_build(version, tmp_path / "cache", TextTokenizer(characters([], num_ids=9, max_tokens=4)))
    assert caught.value.items == tuple(record.item for record in broken)


def test_text_with_a_wrong_byte_is_not_learned_from(tmp_path):
    example.write(tmp_path / "data", num_items=12)
    version = DatasetVersion.open(tmp_path / "data")
    record = version.records()[3]
    version.blob_path(record.blob).write_text("another text", encoding="utf-8")
    with pytest.raises(TextUnreadableError, match=record.name) as caught:
        PackedTokens.open_or_build(version, tmp_path / "cache", TextTokenizer(characters([], num_ids=9, max_tokens=4)))
    assert (caught.value.code, caught.value.items) == ("item_damaged", (record.item,))


def test_media_of_texts_and_pictures_keep_their_form():
    picture = MediaFacts(width=3, height=2, format="png", size_bytes=9)
    assert picture.model_dump(mode="json") == {"width": 3, "height": 2, "format": "png", "size_bytes": 9}
    text = MediaFacts(format="txt", size_bytes=4, num_characters=2)
    record = ItemRecord(
        item="itm_1", name="1.txt", blob="0" * 64, media=text, split=Split.TRAIN, group="g", annotations=(), provenance="t"
    )
    assert record_from_row(record_to_row(record)) == record
    row = record_to_row(record.model_copy(update={"media": picture}))
    assert "num_characters" not in row
    assert record_from_row(row).media == picture
    for wrong in ({"width": 3}, {"width": 3, "num_characters": 1}):
        with pytest.raises(ValueError, match="picture"):
            MediaFacts(format="txt", size_bytes=4, **wrong)
