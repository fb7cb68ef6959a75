"""Texts that tokenizers read differently, if they do."""

from __future__ import annotations

import random
from pathlib import Path

from engine.data.text_vocabulary import words
from tests.exporters.text_artefact_factory import text_artefact_write

TEXTS = (
    "",
    " ",
    "a",
    "Hello, world!",
    "Don't e-mail a.b@c.de: it's $100 (50%)!",
    "UPPER lower MiXeD",
    "    many    spaces    ",
    "这个地方不大，但是很好。",
    "房间很吵！！！混合 mixed 文本 123",
    "〇々「引号」『书名』《》【】",
    "簡體與繁體",
    "𠮷野家 𨋢 𡃁 𠹌",
    "Ｈｅｌｌｏ　Ｗｏｒｌｄ１２３！",
    "～ 全角波浪 ~ ～～",
    "㍿ ㎏ ① ½ ² ﬁ ﷺ Ⅷ ㊗",
    "ｶﾀｶﾅ ﾊﾟ カタカナ が か\u3099",
    "한국어 \u1112\u1161\u11ab",
    "😀😃👍🏽 great",
    "👨\u200d👩\u200d👧\u200d👦",
    "🇨🇳🇺🇸",
    "1\ufe0f\u20e3",
    "𝒜𝓑 𝟘 𝚺𝛼",
    "cafe\u0301 café CAFÉ",
    "a\u0300\u0301\u0302\u0303b",
    "Z\u0351\u036b\u0343A\u0335\u031c",
    "İstanbul ıI ß ẞ Å",
    "ΟΔΟΣ ΟΔΟΣ. Σ ςσ ΣΑΣ",
    "русский ТЕКСТ",
    "שלום עולם",
    "مرحبا بالعالم",
    "\u202eabc שלום\u202c",
    "हिन्दी में",
    "ภาษาไทย",
    "line\nline\r\nline\rline",
    "\n",
    "tab\tvertical\x0bform\x0c",
    "bell\x07 escape\x1b delete\x7f",
    "\x01\x02\x08",
    "\x03",
    "c1 \x80\x85\x8f\x9f end",
    "\x85",
    "nbsp\u00a0thin\u2009zero\u200bjoin\u200d",
    "soft\u00adhyphen \ufeff mark",
    "\u2028\u2029",
    "[CLS] [SEP] [PAD] [UNK] [MASK]",
    "<s> </s> <pad> <unk> <mask>",
    "[PAD]",
    "</s>",
    "a</s>b",
    "▁word ##ing",
    "\ufffd \ue000",
    "x" * 150,
    "好" * 700,
    "word " * 600,
    "supercalifragilisticexpialidocious" * 9,
)
"""What hurts: scripts, widths, signs of several characters, controls but NUL, special tokens spelled out, empty, too long."""
EVERYDAY = (
    "0001-007E 0080-024F 0300-036F 0386-03CE 0400-045F 05D0-05EA 0620-0652 0904-0939 0E01-0E3A 1E00-1EFF 2000-205E 20A0-20BF "
    "2100-218B 2190-27BF 3000-30FF 3200-32FE 3300-9FFF AC00-D7A3 F900-FA6D FE30-FE6B FF01-FFEE 1D400-1D7FF 1F300-1F64F "
    "20000-2A6DF"
)
"""Characters of today's writing. Signs that other scripts have got since 2016 are not in the tables of Python's library."""


def made(number: int, seed: int) -> list[str]:
    """Texts of a few scripts each."""
    drawn = random.Random(seed)
    everyday = [tuple(int(end, 16) for end in each.split("-")) for each in EVERYDAY.split()]
    scripts = [drawn.sample(everyday, drawn.randint(1, 4)) for _ in range(number)]
    return [
        "".join(chr(drawn.randint(*drawn.choice(some))) if drawn.random() < 0.85 else " " for _ in range(drawn.randint(1, 40)))
        for some in scripts
    ]


def wild(number: int, seed: int) -> list[str]:
    """Texts of characters from all planes, and of letters with many accents and syllables of Hangul in parts."""
    drawn = random.Random(seed)
    signs = [each for each in range(1, 0x110000) if not 0xD800 <= each < 0xE000]
    accented = [*range(0x41, 0x5B), *range(0xC0, 0x250), *range(0x300, 0x370), *range(0x5B0, 0x5C8), *range(0x900, 0xD80)]
    accented += [*range(0x1100, 0x1200), *range(0x1E00, 0x2000), *range(0xAC00, 0xAC80), *range(0x300, 0x370)] * 2
    made_of = [signs, [each for each in signs if each < 0x3000], [each for each in signs if each < 0x20000], accented]
    return ["".join(map(chr, drawn.choices(drawn.choice(made_of), k=drawn.randint(1, 24)))) for _ in range(number)]


def words_artefact_write(folder: Path) -> Path:
    """Writes an artefact that reads words, with a hundred golden texts."""
    texts = [stripped for text in [*TEXTS, *made(60, seed=4)] if (stripped := text.strip())][:100]
    return text_artefact_write(folder, definition=words(texts, num_ids=600, max_tokens=32), texts=texts)
