"""What can be inferred from the names of columns and the words in their cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set


def _set(*words: str) -> frozenset[str]:
    return frozenset(word for each in words for word in each.split())


CODE_WORDS = _set(
    "code codes id ids zip zipcode postal postcode plz type kind class category cat cluster group sku isbn ean barcode "
    "版本 代码 编码 编号 邮编 类型 类别 分类 组别 门店 型号"
)
"""In columns with such a name, whole numbers are codes rather than amounts."""
ID_WORDS = _set(
    "id ids uid uuid guid key pk index idx number no nr row rowid hash token ref reference serial sn account email mail "
    "url link ip ticket invoice isbn vin iban ssn "
    "编号 序号 行号 号码 订单号 单号 身份证 身份证号 学号 工号 卡号 邮箱 链接 用户名"
)
MEASURED_WORDS = _set(
    "year years day days week weeks month months hour hours minute second time step steps t period age rank position distance "
    "length depth size amount price score 年 年份 月 日 天 周 小时 时间 年龄 排名"
)
"""Such columns rise from row to row in time series, and are features all the same."""
_NAME_WORDS = _set("name fullname firstname lastname surname forename 姓名 名字 姓 客户姓名 患者姓名 学生姓名")
_PEOPLE = _set(
    "full first last family given middle customer client patient passenger student employee user person driver member"
)
_PHONE_WORDS = _set("phone telephone tel mobile cell cellphone fax msisdn 电话 手机 手机号 手机号码 联系电话 联系方式")
_CHINESE = re.compile(r"[\u4e00-\u9fff]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN = re.compile(r"[^a-z0-9\u4e00-\u9fff]+")
_PHONE = re.compile(r"(\+\d{1,3}[\s-]?)?(\(\d{2,5}\)[\s-]?|\d{2,5}[\s-])?\d{3,4}[\s-]?\d{3,4}")
_CHINESE_MOBILE = re.compile(r"(\+?86[\s-]?)?1[3-9]\d[\s-]?\d{4}[\s-]?\d{4}")
_LOOKED_AT = 2_000

_TARGETS: Mapping[int, frozenset[str]] = {
    4: _set("target label y class outcome response 标签 目标 目标值 类别 标注 结果"),
    3: _set(
        "churn churned attrition survived default defaulted fraud is_fraud diagnosis species converted clicked purchase "
        "purchased approved admitted accepted cancelled "
        "price saleprice sale_price sales revenue medv mpg median_house_value charges rating quality grade "
        "价格 售价 总价 房价 销量 销售额 违约 流失 诊断 评分 等级 分类"
    ),
}
_TARGET_BEGINS = ("is_", "has_", "will_", "target_", "label_", "是否")
_TARGET_ENDS = ("_target", "_label", "_class", "_price", "标签", "类别", "价格")


def words_of(name: str) -> tuple[str, ...]:
    """The words of a column's name, lower case: ``customerID``, ``customer_id`` and ``Customer Id`` have the same.

    An English name that libraries give to a column without one has none; Chinese words stay whole.
    """
    if re.fullmatch(r"\s*|unnamed: ?[\d.]+|index|column_?\d+", name.strip().lower()):
        return ()
    return tuple(word for word in _BETWEEN.split(_CAMEL.sub(" ", name).lower()) if word)


def has_any(words: Sequence[str], known: Set[str]) -> bool:
    """Whether a column's name has one of the words; Chinese ones of two characters and more may stand inside a longer one."""
    if set(words) & known:
        return True
    name = "".join(words)
    return any(len(word) >= 2 and _CHINESE.match(word) and word in name for word in known)


def is_phone(words: Sequence[str], cells: Mapping[str, int]) -> bool:
    """Whether cells are telephone numbers: by the name and their length, or by how they are written."""
    some = list(cells)[:_LOOKED_AT]
    if not some:
        return False
    if has_any(words, _PHONE_WORDS):
        return sum(7 <= sum(char.isdigit() for char in cell) <= 15 for cell in some) > 0.9 * len(some)
    if sum(_CHINESE_MOBILE.fullmatch(cell) is not None for cell in some) > 0.95 * len(some):
        return len(some) >= 5
    written = sum(_PHONE.fullmatch(cell) is not None and not cell.isdigit() and cell[0] in "+(" for cell in some)
    return len(some) >= 5 and written > 0.9 * len(some)


def is_name_of_person(words: Sequence[str]) -> bool:
    """Whether the name of a column announces people's names."""
    is_all = set(words) <= _NAME_WORDS | _PEOPLE
    return bool(_NAME_WORDS & set(words)) and is_all


def is_code_like(cells: Mapping[str, int]) -> bool:
    """Whether cells are codes, addresses or hashes rather than words: no blank in them, and digits or signs in nearly all."""
    some = list(cells)[:_LOOKED_AT]
    coded = sum(
        " " not in cell
        and not _CHINESE.search(cell)
        and (any(char.isdigit() for char in cell) or "@" in cell or "://" in cell or "www." in cell)
        for cell in some
    )
    return coded > 0.95 * len(some)


def is_prose(cells: Mapping[str, int]) -> bool:
    """Whether cells are free words, which differ from row to row, rather than values that come again.

    Sentences are text once more than a fifth of them differ; short words only when nearly every row has its own.
    """
    num_there, num_different = sum(cells.values()), len(cells)
    if num_different < 5:
        return False
    some = list(cells)[:_LOOKED_AT]
    length = sum(_num_words(cell) for cell in some) / len(some)
    share = num_different / num_there
    if length >= 8:
        return share > 0.2 or num_different > 500
    if length >= 4:
        return share > 0.5 and not is_code_like(cells)
    return share > 0.9 and num_there >= 50 and not is_code_like(cells) and length >= 1.5


def target_rank(name: str, others: Set[str] = frozenset()) -> int:
    """How strongly a column's name suggests that it is the target: 0 not at all, 4 most.

    Args:
        name: of the column.
        others: names of all columns in lower case: beside ``x`` and ``z`` a ``y`` is a length.
    """
    plain = name.strip().lower()
    if plain == "y" and {"x", "z"} <= others:
        return 0
    words = words_of(name)
    for rank, known in _TARGETS.items():
        if plain in known or "_".join(words) in known:
            return rank
    if plain.startswith(_TARGET_BEGINS) or plain.endswith(_TARGET_ENDS) or "_".join(words).startswith(("is_", "has_")):
        return 2
    return 1 if words and words[-1] in _TARGETS[4] | _TARGETS[3] else 0


def _num_words(cell: str) -> float:
    """Words of a cell; of Chinese, two characters count as one."""
    chinese = sum(len(run) for run in _CHINESE.findall(cell))
    return chinese / 2 + len(_CHINESE.sub(" ", cell).split())
