"""Steps of a tokenizer that make JavaScript's library give the same ids as the others.

``@huggingface/tokenizers`` has the rules of the library ``tokenizers`` in a language of its own, and two of them differ
(0.2.0): lower case is that of JavaScript, and Chinese characters beyond the first 65,536 are not set apart. With these steps
it gives the ids of Python's library and of C++'s, which they change in nothing.
"""

from __future__ import annotations

from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers

SMALL_SIGMA = normalizers.Replace("Σ", "σ")
"""In front of lower case: JavaScript writes a sigma at the end of a word as ``ς``."""
_RARE = "\U00020000-\U0002a6df\U0002a700-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f"
"""What ``BertNormalizer`` takes for Chinese there; Cantonese and names are written with some of it."""
RARE_IDEOGRAPHS = pre_tokenizers.Split(Regex(f"[{_RARE}]"), "isolated")
"""In front of ``BertPreTokenizer``."""


def alike(tokenizer: Tokenizer) -> None:
    """Puts these steps into a tokenizer that was made for BERT; another is left as it is."""
    if isinstance(tokenizer.normalizer, normalizers.BertNormalizer):
        tokenizer.normalizer = normalizers.Sequence([SMALL_SIGMA, tokenizer.normalizer])
    if isinstance(tokenizer.pre_tokenizer, pre_tokenizers.BertPreTokenizer):
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([RARE_IDEOGRAPHS, tokenizer.pre_tokenizer])
