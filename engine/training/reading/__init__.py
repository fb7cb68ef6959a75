"""Training networks that find and read lines of text: two of them, joined by ``runtime.pipelines.text_lines``."""
