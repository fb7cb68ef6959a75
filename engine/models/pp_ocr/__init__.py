"""PP-OCR: pretrained networks that find and read lines of text."""
