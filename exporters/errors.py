"""What can go wrong while something is built to ship."""

from __future__ import annotations


class ExportError(Exception):
    """Base of all export errors."""

    code = "export_failed"
    hint = "Look at the job's log."

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or type(self).hint


class TargetUnknownError(ExportError):
    """There is no such target."""

    code = "target_unknown"
    hint = "Choose one of the targets that the message lists."


class OptionInvalidError(ExportError):
    """An option is unknown or its value not allowed."""

    code = "option_invalid"
    hint = "Correct the option that the message names."


class OutputNotAcceptedError(ExportError):
    """The target cannot ship models of this kind."""

    code = "output_not_accepted"
    hint = "Choose another target."


class PipelineNotRunError(ExportError):
    """The target has no program for what the model does around its graph, such as reading a picture in tiles."""

    code = "pipeline_not_run"
    hint = "Choose a server, the Python SDK or a device, or train a model that sees whole pictures."


class ItemsNotReadError(ExportError):
    """The target cannot ship models that read such items."""

    code = "items_not_read"
    hint = "Choose another target."


class GalleryNotJoinedError(ExportError):
    """The model cannot answer with the names of this gallery."""

    code = "gallery_not_joined"
    hint = "Choose a gallery of this model that has pictures, or export the model without one."


class LicenceRefusedError(ExportError):
    """A part of the product has a licence under which it cannot be handed out to everybody."""

    code = "licence_refused"
    hint = "Train the model with another family, or other pretrained weights."


class ToolMissingError(ExportError):
    """A program that the build needs is not installed."""

    code = "tool_missing"
    hint = "Install the program that the message names on the machine that builds."


class PartsNotBuiltError(ExportError):
    """Parts that the front end's build makes are not there."""

    code = "parts_not_built"
    hint = "Run `python manage.py build_frontend` on the machine that builds."


class ConversionError(ExportError):
    """The model cannot be written in the target's format; the message names the operations that it lacks, where it says so."""

    code = "conversion_failed"
    hint = "Choose another target, or train the model with another family."


class ArtefactInvalidError(ExportError):
    """The artefact directory is incomplete or broken."""

    code = "artefact_invalid"
    hint = "Train the model again, or evaluate it to see whether its files are whole."


class ExportCheckFailedError(ExportError):
    """The finished product does not answer its golden samples as the trained model did."""

    code = "export_check_failed"
    hint = "The artefact was changed after training, or the runtime's packages differ; export again from an untouched artefact."
