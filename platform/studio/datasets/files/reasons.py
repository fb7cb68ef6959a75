"""Why a file did not become an item: one table of stable codes and what a person reads."""

from __future__ import annotations

from automl.contracts.base import Text

REASONS: dict[str, Text] = {
    "empty_file": Text(en="The file holds no bytes.", zh="文件是空的。"),
    "not_a_picture": Text(
        en="Not a picture that can be read: use JPEG, PNG, WebP, BMP, GIF or TIFF.",
        zh="不是可读取的图片：请使用 JPEG、PNG、WebP、BMP、GIF 或 TIFF。",
    ),
    "format_unsupported": Text(
        en="A kind of file that is not taken (HEIC, AVIF, JPEG XL, SVG, PDF, video ...): save it as JPEG or PNG.",
        zh="不支持的文件类型（HEIC、AVIF、JPEG XL、SVG、PDF、视频等）：请另存为 JPEG 或 PNG。",
    ),
    "first_picture_only": Text(
        en="The file holds several pictures (pages or frames); the first one was taken.",
        zh="文件包含多张图片（多页或多帧）；已采用第一张。",
    ),
    "too_many_scans": Text(
        en="A JPEG of hundreds of passes, which would take hours to decode: save it anew.",
        zh="JPEG 扫描层数异常，解码耗时过长：请重新保存。",
    ),
    "damaged_picture": Text(en="The picture is cut off or damaged.", zh="图片不完整或已损坏。"),
    "picture_too_large": Text(en="The picture has more than 100 megapixels.", zh="图片超过一亿像素。"),
    "text_among_pictures": Text(
        en="A text; this project holds pictures. Texts belong to a project of texts.",
        zh="这是文本文件；本项目只接受图片。请将文本上传到文本项目。",
    ),
    "picture_among_texts": Text(
        en="A picture; this project holds texts. Pictures belong to a project of pictures.",
        zh="这是图片文件；本项目只接受文本。请将图片上传到图片项目。",
    ),
    "not_a_text": Text(
        en="Not a text: the file holds bytes that no text has. Save it as plain text in UTF-8.",
        zh="不是文本：文件中含有文本不应出现的字节。请另存为 UTF-8 纯文本。",
    ),
    "text_undecodable": Text(
        en="The text's encoding is neither UTF-8, UTF-16 nor GB 18030: save it as UTF-8.",
        zh="文本编码不是 UTF-8、UTF-16 或 GB 18030：请另存为 UTF-8。",
    ),
    "text_blank": Text(en="The text is blank: nothing but white space.", zh="文本为空白：只有空白字符。"),
    "text_too_long": Text(en="The text has more than 100,000 characters: split it.", zh="文本超过 100,000 个字符：请拆分。"),
    "table_among_texts": Text(
        en="A table or data file, not one text: upload it by itself or in an archive, as a table with a column of texts.",
        zh="这是表格或数据文件，不是单条文本：请单独上传或放入压缩包，表格中需有文本列。",
    ),
    "table_row_invalid": Text(
        en="The row is broken, or has more cells than the head: put texts that hold the separating mark into quotes.",
        zh="该行已损坏，或单元格多于表头：请为含分隔符的文本加上引号。",
    ),
    "table_without_texts": Text(
        en="The table is empty, or none of its columns holds texts: name that column text, content or 文本.",
        zh="表格为空，或没有文本列：请将文本列命名为 text、content 或“文本”。",
    ),
    "table_quote_unclosed": Text(
        en="A quotation mark opens in this line and is never closed: close or remove it. The line was left out.",
        zh="该行的引号没有闭合：请补全或删除引号。该行未读取。",
    ),
    "table_kind_unknown": Text(
        en="Not a table that can be read: use CSV, TSV, Excel (.xlsx), Parquet, Arrow, feather, JSON or JSONL.",
        zh="不是可读取的表格：请使用 CSV、TSV、Excel（.xlsx）、Parquet、Arrow、feather、JSON 或 JSONL。",
    ),
    "table_without_rows": Text(en="The table holds no rows.", zh="表格中没有数据行。"),
    "table_sheet_left_out": Text(
        en="The sheet has other columns than the first one and was not read: upload it by itself.",
        zh="该工作表的列与第一个工作表不同，未读取：请单独上传。",
    ),
    "table_too_wide": Text(
        en="The table would have more than 2,000 columns: leave some out.", zh="表格超过 2,000 列：请去掉部分列。"
    ),
    "table_too_long": Text(
        en="The table has more than 10 million rows; what lies beyond was not read: split it.",
        zh="表格超过一千万行，超出部分未读取：请拆分表格。",
    ),
    "table_unpacks_too_far": Text(
        en="The table unpacks to far more than its size allows; the rest was not read. Save it as CSV.",
        zh="表格解开后的内容远大于文件本身，其余内容未读取。请另存为 CSV。",
    ),
    "table_in_batch": Text(
        en="Tables do not come among many small files: upload the table by itself or in an archive.",
        zh="表格不能作为批量小文件上传：请单独上传或放入压缩包。",
    ),
    "row_invalid": Text(en="Not a row of a table.", zh="不是表格的一行。"),
    "row_blank": Text(en="The row holds no cells.", zh="该行没有任何单元格内容。"),
    "row_too_long": Text(
        en="The row holds more than a million characters: shorten or leave out its longest cells.",
        zh="该行超过一百万个字符：请缩短或去掉最长的单元格。",
    ),
    "table_row_too_wide": Text(
        en="The row has more cells than the head: put cells that hold the separating mark into quotes.",
        zh="该行单元格多于表头：请为含分隔符的单元格加上引号。",
    ),
    "target_not_number": Text(
        en="The cell of the target is no number; the row is unlabelled.", zh="目标列的单元格不是数字；该行未标注。"
    ),
    "target_not_label": Text(
        en="The cell of the target is too long or holds characters that cannot be shown; the row is unlabelled.",
        zh="目标列的单元格过长或包含无法显示的字符；该行未标注。",
    ),
    "target_too_many": Text(
        en="The target has more than 1,000 different values; rows with further ones are unlabelled.",
        zh="目标列的不同取值超过 1,000 个；取值超出部分的行未标注。",
    ),
    "file_too_large": Text(en="The file is larger than 256 MiB.", zh="文件大于 256 MiB。"),
    "unsafe_name": Text(en="The name points outside the archive.", zh="文件名指向压缩包之外。"),
    "bad_name": Text(en="The name is too long or holds characters that are not allowed.", zh="文件名过长或包含不允许的字符。"),
    "reserved_name": Text(
        en="Windows keeps this name for a device (CON, NUL, COM1 ...): rename the file or folder.",
        zh="该名称在 Windows 中为设备保留（CON、NUL、COM1 等）：请重命名文件或文件夹。",
    ),
    "duplicate_entry": Text(
        en="The archive holds this name twice; the first file was taken.", zh="压缩包内有重名文件；已采用第一个。"
    ),
    "link_entry": Text(en="A link or device, not a file.", zh="这是链接或设备，不是文件。"),
    "nested_archive": Text(en="An archive inside the archive: unpack it first.", zh="压缩包内嵌套了压缩包：请先解压。"),
    "entry_encrypted": Text(en="The file is protected by a password.", zh="文件受密码保护。"),
    "entry_damaged": Text(en="The file is damaged inside the archive.", zh="压缩包内的该文件已损坏。"),
    "compression_unknown": Text(
        en="Packed with a method that cannot be read: pack it as plain zip.",
        zh="压缩方式无法识别：请使用普通 zip 压缩。",
    ),
    "compression_bomb": Text(
        en="Unpacks to far more than it should; the rest was not read.", zh="解压后体积异常巨大；其余内容未读取。"
    ),
    "archive_unknown": Text(
        en="Not an archive that can be read: use zip, tar, tar.gz, tar.bz2 or tar.xz.",
        zh="不是可读取的压缩包：请使用 zip、tar、tar.gz、tar.bz2 或 tar.xz。",
    ),
    "url_invalid": Text(
        en="Not an address that begins with http:// or https://.", zh="不是以 http:// 或 https:// 开头的地址。"
    ),
    "url_with_password": Text(
        en="The address holds a name and password, which are not sent: leave them out.",
        zh="地址中含有用户名和密码，不会发送：请去掉后重试。",
    ),
    "address_refused": Text(
        en="The address leads into a private network; the operator of this platform may open it.",
        zh="该地址指向内部网络；可由平台管理员开放。",
    ),
    "url_unreachable": Text(en="Nobody answers at this address.", zh="该地址无法连接。"),
    "url_too_slow": Text(en="The answer took too long.", zh="响应时间过长。"),
    "url_not_there": Text(en="There is nothing at this address (404).", zh="该地址不存在内容（404）。"),
    "url_answered_otherwise": Text(
        en="The server did not hand out the file: it may ask for a sign-in.", zh="服务器未提供该文件：可能需要登录。"
    ),
    "too_many_redirects": Text(en="The address is passed on too many times.", zh="重定向次数过多。"),
    "folder_closed": Text(en="No folder of the server that the operator has opened.", zh="该文件夹不存在，或管理员未开放。"),
    "file_unreadable": Text(en="The server may not read this file.", zh="服务器无权读取该文件。"),
    "database_unreachable": Text(en="No database answers at this address.", zh="该地址没有数据库响应。"),
    "database_refused": Text(
        en="The database does not let this user in: look at the user, the password, the name of the database and encryption.",
        zh="数据库拒绝连接：请检查用户名、密码、数据库名称和加密设置。",
    ),
    "query_failed": Text(
        en="The database cannot answer the query, which must be one that reads.",
        zh="数据库无法执行该查询；只允许读取数据的查询。",
    ),
    "query_too_slow": Text(en="The query took too long and was stopped.", zh="查询时间过长，已停止。"),
    "query_too_long": Text(
        en="The query gives more than 10 million rows: ask for fewer.", zh="查询结果超过一千万行：请减少行数。"
    ),
    "bucket_refused": Text(
        en="The bucket cannot be listed: look at its name, region and keys.", zh="无法列出存储桶：请检查名称、区域和密钥。"
    ),
    "archive_cut_off": Text(
        en="The archive's end is missing, so nothing in it can be found: copy or upload it again.",
        zh="压缩包缺少结尾，无法读取其中内容：请重新复制或上传。",
    ),
    "archive_damaged": Text(
        en="The archive breaks off here; what came before was kept.", zh="压缩包在此处中断；之前的内容已保留。"
    ),
    "too_many_entries": Text(en="The archive holds too many files.", zh="压缩包内文件过多。"),
    "label_invalid": Text(
        en="The label is empty, too long or holds characters that cannot be shown.", zh="标签为空、过长或包含无法显示的字符。"
    ),
    "label_row_invalid": Text(
        en="The row is not of the form file,label or file,label|label.", zh="该行不是 file,label 或 file,label|label 的形式。"
    ),
    "label_file_broken": Text(en="The label file cannot be read.", zh="标签文件无法读取。"),
    "label_unknown": Text(
        en="The annotation's label is not in the file's list of labels.", zh="该标注的标签不在文件的标签列表中。"
    ),
    "label_image_missing": Text(
        en="Annotations of pictures that the file does not list or that are not here.",
        zh="这些标注所属的图片未在文件中列出，或不在此处。",
    ),
    "annotation_invalid": Text(
        en="The annotation's numbers or fields are missing or impossible.", zh="该标注的数值或字段缺失或不合理。"
    ),
    "annotation_alternative": Text(
        en="Several people annotated the task; the first annotation was taken.", zh="该任务有多份标注；已采用第一份。"
    ),
    "boxes_as_corners": Text(
        en="Boxes were read as left, top, right, bottom: as width and height they would reach beyond their pictures.",
        zh="框已按“左、上、右、下”读取：若按宽和高读取，会超出图片范围。",
    ),
    "mask_left_out": Text(
        en="A mask of a picture that is here, not a picture of its own: left out. Where the project's task takes no masks, "
        "import classes or boxes instead (COCO, VOC, CVAT, CSV).",
        zh="这是另一张图片的掩码，不是单独的图片，已跳过。若项目的任务不使用掩码，请改为导入类别或矩形框（COCO、VOC、CVAT、CSV）。",
    ),
    "class_numbers": Text(
        en="The classes are numbers without names, and the labels are called 0, 1, ... Rename the labels, or put a classes.txt "
        "with a name a line into the archive and import it into a new project.",
        zh="类别只有编号、没有名称，标签按编号命名（0、1 等）。请重命名标签；也可在压缩包中加入 classes.txt（每行一个名称），"
        "再导入新项目。",
    ),
    "shape_unknown": Text(en="A kind of shape that cannot be read.", zh="无法识别的形状类型。"),
    "split_unknown": Text(en="The split is neither train, validation nor test.", zh="划分不是训练、验证或测试。"),
    "validation_carved": Text(
        en="The files name no items for validation, so these were set aside from the training part, by their hash. Import a "
        "validation part before the first version to have them train again.",
        zh="文件未指定验证集，已按哈希从训练集中划出这些数据用于验证。若在首个版本之前导入验证集，它们会重新用于训练。",
    ),
    "validation_returned": Text(
        en="A validation part has come, so the items that had been set aside for it train again.",
        zh="已导入验证集，先前划出的数据重新用于训练。",
    ),
    "token_not_in_text": Text(en="A token does not stand in the text.", zh="词元不在文本中。"),
    "format_unknown": Text(
        en="The files beside the data are of no known label format; no labels were read.",
        zh="数据之外的文件不属于任何已知的标注格式；未读取标签。",
    ),
    "kind_not_allowed": Text(
        en="Annotations of a kind that the project's task does not take.", zh="该项目的任务不接受此类标注。"
    ),
    "outlines_boxed": Text(
        en="Outlines and masks that became the boxes around them: the project's task takes boxes.",
        zh="该项目的任务使用矩形框，轮廓和掩码已转换为其外接矩形框。",
    ),
    "label_file_missing": Text(en="No item has this name.", zh="没有这个名称的数据。"),
    "label_file_ambiguous": Text(
        en="Several items have this name: write the folder too.", zh="有多条数据同名：请写出所在文件夹。"
    ),
    "label_kept": Text(en="The item already had another label, which was kept.", zh="该数据已有其他标签，已保留原标签。"),
    "too_many_labels": Text(
        en="Several labels, but the project takes one label an item.", zh="有多个标签，但该项目每条数据只允许一个标签。"
    ),
}
"""Every code that a ``Reject`` row may carry."""
NOTES = frozenset(
    {
        "annotation_alternative",
        "format_unknown",
        "kind_not_allowed",
        "label_kept",
        "outlines_boxed",
        "boxes_as_corners",
        "class_numbers",
        "mask_left_out",
        "first_picture_only",
        "validation_carved",
        "validation_returned",
        "target_not_number",
        "target_not_label",
        "target_too_many",
        "table_sheet_left_out",
    }
)
"""Codes that tell something of a file that was taken."""
