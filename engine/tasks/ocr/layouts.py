"""Layouts of invoices and receipts in English and Chinese: what is printed on each, and where what is filled in.

Names of fields and columns are in the language of the form: whoever reads such forms calls them so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Box = tuple[int, int, int, int]
"""x, y, width, height in pixels of the form."""


class Printed(NamedTuple):
    """A text that is on every copy."""

    text: str
    left: int
    upper: int
    size: int


class FieldPlace(NamedTuple):
    """What is filled in, and how its value is read."""

    name: str
    content: str
    """What is written: ``number``, ``date``, ``customer``, ``subtotal``, ``tax``, ``total`` or ``payment``."""
    kind: str
    box: Box
    options: Mapping[str, Any] = {}


class Column(NamedTuple):
    """A column of the table."""

    name: str
    content: str
    """``goods``, ``unit``, ``quantity``, ``price`` or ``amount``."""
    kind: str
    width: int
    options: Mapping[str, Any] = {}


class Table(NamedTuple):
    """Ruled lines and what stands between them."""

    name: str
    left: int
    upper: int
    row_height: int
    most_rows: int
    columns: tuple[Column, ...]

    @property
    def width(self) -> int:
        """In pixels."""
        return sum(each.width for each in self.columns)

    @property
    def box(self) -> Box:
        """With all rows and some room."""
        height = self.row_height * (self.most_rows + 1)
        return self.left - 14, self.upper - 10, self.width + 28, height + 24


class Layout(NamedTuple):
    """One kind of form."""

    slug: str
    """Of its template."""
    title: str
    language: str
    width: int
    height: int
    printed: tuple[Printed, ...]
    fields: tuple[FieldPlace, ...]
    table: Table
    payments: tuple[str, ...]
    tax_percent: int
    is_right: bool
    """Whether amounts stand at the right of their fields and cells."""


_EUR, _CNY = {"currency": "EUR"}, {"currency": "CNY"}
_PAID = ("bank transfer", "direct debit", "credit card", "cash")
_PAID_ZH = ("微信支付", "支付宝", "银行转账", "现金")

INVOICE = Layout(
    slug="invoice",
    title="Invoice",
    language="en",
    width=800,
    height=1_000,
    printed=(
        Printed("INVOICE", 50, 50, 40),
        Printed("Modelyard Supplies Ltd.", 470, 60, 24),
        Printed("Invoice number", 50, 150, 22),
        Printed("Invoice date", 50, 200, 22),
        Printed("Bill to", 470, 150, 22),
        Printed("Subtotal", 460, 730, 22),
        Printed("Tax 19 %", 460, 780, 22),
        Printed("Total due", 460, 835, 24),
        Printed("Payment by", 50, 835, 22),
        Printed("Thank you for your business.", 50, 930, 20),
        Printed("Page 1 of 1", 620, 930, 20),
    ),
    fields=(
        FieldPlace("number", "number", "text", (220, 140, 230, 42)),
        FieldPlace("date", "date", "date", (220, 190, 230, 42), {"order": "dmy"}),
        FieldPlace("customer", "customer", "text", (460, 180, 310, 90)),
        FieldPlace("subtotal", "subtotal", "amount", (580, 720, 190, 44), _EUR),
        FieldPlace("tax", "tax", "amount", (580, 770, 190, 44), _EUR),
        FieldPlace("total", "total", "amount", (580, 824, 190, 48), _EUR),
        FieldPlace("payment", "payment", "choice", (190, 825, 220, 44), {"choices": list(_PAID)}),
    ),
    table=Table(
        "lines",
        40,
        310,
        46,
        7,
        (
            Column("description", "goods", "text", 280),
            Column("unit", "unit", "text", 90),
            Column("quantity", "quantity", "number", 100),
            Column("price", "price", "amount", 120, _EUR),
            Column("amount", "amount", "amount", 130, _EUR),
        ),
    ),
    payments=_PAID,
    tax_percent=19,
    is_right=True,
)
RECEIPT = Layout(
    slug="receipt",
    title="Receipt",
    language="en",
    width=640,
    height=800,
    printed=(
        Printed("Harbour Street Market", 170, 40, 30),
        Printed("Receipt No.", 40, 120, 22),
        Printed("Date", 385, 120, 22),
        Printed("TOTAL", 330, 600, 26),
        Printed("Paid by", 40, 600, 22),
        Printed("Returns within 30 days", 40, 690, 20),
        Printed("See you soon!", 420, 690, 20),
    ),
    fields=(
        FieldPlace("number", "number", "text", (182, 108, 190, 44)),
        FieldPlace("date", "date", "date", (458, 108, 170, 44), {"order": "mdy"}),
        FieldPlace("total", "total", "amount", (438, 586, 180, 50), {"currency": "USD"}),
        FieldPlace("payment", "payment", "choice", (145, 588, 175, 44), {"choices": list(_PAID)}),
    ),
    table=Table(
        "items",
        40,
        190,
        44,
        7,
        (
            Column("item", "goods", "text", 280),
            Column("qty", "quantity", "number", 90),
            Column("amount", "amount", "amount", 190, {"currency": "USD"}),
        ),
    ),
    payments=_PAID,
    tax_percent=0,
    is_right=False,
)
INVOICE_ZH = Layout(
    slug="invoice-zh",
    title="发票",
    language="zh",
    width=800,
    height=1_000,
    printed=(
        Printed("销售发票", 320, 45, 40),
        Printed("发票号码", 50, 140, 22),
        Printed("开票日期", 450, 140, 22),
        Printed("购买方", 50, 200, 22),
        Printed("合计金额", 430, 720, 22),
        Printed("税额（13%）", 430, 770, 22),
        Printed("价税合计", 430, 825, 24),
        Printed("付款方式", 50, 825, 22),
        Printed("请妥善保管本发票", 50, 920, 20),
        Printed("第一联 记账联", 590, 920, 20),
    ),
    fields=(
        FieldPlace("发票号码", "number", "text", (165, 130, 270, 44)),
        FieldPlace("开票日期", "date", "date", (568, 130, 215, 44), {"order": "ymd"}),
        FieldPlace("购买方", "customer", "text", (150, 190, 420, 90)),
        FieldPlace("合计金额", "subtotal", "amount", (580, 710, 190, 44), _CNY),
        FieldPlace("税额", "tax", "amount", (580, 760, 190, 44), _CNY),
        FieldPlace("价税合计", "total", "amount", (580, 814, 190, 48), _CNY),
        FieldPlace("付款方式", "payment", "choice", (168, 815, 220, 44), {"choices": list(_PAID_ZH)}),
    ),
    table=Table(
        "明细",
        40,
        300,
        46,
        7,
        (
            Column("货物名称", "goods", "text", 270),
            Column("单位", "unit", "text", 90),
            Column("数量", "quantity", "number", 100),
            Column("单价", "price", "amount", 120, _CNY),
            Column("金额", "amount", "amount", 140, _CNY),
        ),
    ),
    payments=_PAID_ZH,
    tax_percent=13,
    is_right=True,
)
RECEIPT_ZH = Layout(
    slug="receipt-zh",
    title="收据",
    language="zh",
    width=640,
    height=800,
    printed=(
        Printed("幸福里便利店收据", 180, 40, 32),
        Printed("收据编号", 40, 120, 22),
        Printed("日期", 345, 120, 22),
        Printed("应收合计", 320, 600, 24),
        Printed("支付方式", 40, 600, 22),
        Printed("谢谢惠顾，欢迎再次光临", 40, 690, 20),
        Printed("凭此单退换", 480, 690, 20),
    ),
    fields=(
        FieldPlace("收据编号", "number", "text", (155, 108, 180, 44)),
        FieldPlace("日期", "date", "date", (415, 108, 210, 44), {"order": "ymd"}),
        FieldPlace("应收合计", "total", "amount", (445, 586, 175, 50), _CNY),
        FieldPlace("支付方式", "payment", "choice", (155, 588, 150, 44), {"choices": list(_PAID_ZH)}),
    ),
    table=Table(
        "商品",
        40,
        190,
        44,
        7,
        (
            Column("品名", "goods", "text", 250),
            Column("数量", "quantity", "number", 90),
            Column("单价", "price", "amount", 100, _CNY),
            Column("小计", "amount", "amount", 120, _CNY),
        ),
    ),
    payments=_PAID_ZH,
    tax_percent=0,
    is_right=False,
)
LAYOUTS = (INVOICE, RECEIPT, INVOICE_ZH, RECEIPT_ZH)
