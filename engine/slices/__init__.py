"""Parts of the judged items on which a model does worse: ``find`` weighs them, ``items`` says what there is to cut by."""
