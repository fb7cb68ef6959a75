/* A trained model of pictures or of texts for C and C++ programs, on ONNX Runtime.
 *
 * Texts are UTF-8, also the paths of files on Windows. Every function may be called from several threads at once, also with
 * the same model; only modelyard_free needs that nobody uses the model any more.
 */
#ifndef MODELYARD_H
#define MODELYARD_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(MODELYARD_SHARED)
#ifdef MODELYARD_BUILDING
#define MODELYARD_API __declspec(dllexport)
#else
#define MODELYARD_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define MODELYARD_API __attribute__((visibility("default")))
#else
#define MODELYARD_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended. The number of each stays the same in later versions. */
typedef enum modelyard_status {
    MODELYARD_OK = 0,
    MODELYARD_ARGUMENT_INVALID = 1,    /* an argument is missing or out of its range */
    MODELYARD_LIBRARY_MISSING = 2,     /* ONNX Runtime was not found, or is too old */
    MODELYARD_ARTEFACT_UNREADABLE = 3, /* a file of the model is missing or broken */
    MODELYARD_ARTEFACT_DAMAGED = 4,    /* a file is not the one that was written with the model */
    MODELYARD_PICTURE_UNREADABLE = 5,  /* no picture, a broken one, or a format that is not read */
    MODELYARD_PICTURE_TOO_LARGE = 6,   /* more than 100,000,000 pixels */
    MODELYARD_ANSWER_INVALID = 7,      /* the model answers with something that is no number */
    MODELYARD_OUT_OF_MEMORY = 8,
    MODELYARD_FAILED = 9,              /* anything else; the message says what */
    MODELYARD_TEXT_UNREADABLE = 10,    /* a text is not UTF-8, or its file cannot be read */
    MODELYARD_TEXT_MISSING = 11,       /* a text holds nothing but white space */
    MODELYARD_UPDATE_INVALID = 12,     /* a folder is no model update */
    MODELYARD_UPDATE_TOO_NEW = 13,     /* this library is older than the update */
    MODELYARD_UPDATE_OTHER_TASK = 14,  /* the update's model reads or answers something else */
    MODELYARD_UPDATE_OTHER_LABELS = 15,
    MODELYARD_UPDATE_SELFTEST_FAILED = 16, /* here it does not answer as it was trained to */
    MODELYARD_UPDATE_NOT_WRITABLE = 17,
    MODELYARD_UPDATE_NONE_BEFORE = 18  /* there is no model to go back to */
} modelyard_status;

typedef struct modelyard_model modelyard_model;

/* How a model is loaded. Fill with zeros for what is usual. */
typedef struct modelyard_options {
    const char* library; /* path of ONNX Runtime's shared library; NULL: MODELYARD_ONNXRUNTIME of the environment, else the system's search */
    int num_threads;     /* of one prediction, 1 to 256; 0: one */
} modelyard_options;

/* What is asked for. NULL instead of a query asks for what is usual. */
typedef struct modelyard_query {
    double threshold; /* lowest score, 0 to 1; negative: the model's own thresholds */
    int top;          /* at most so many annotations; 0: 5 labels, 100 boxes or masks, 256 lines of text */
} modelyard_query;

/* How unlike the normal pictures each place of a picture is: a coarse grid over all of it. */
typedef struct modelyard_heat_map {
    double score;          /* of the picture: the largest of its cells, 0 to 1 */
    int width;             /* cells */
    int height;
    const uint8_t* values; /* a byte a cell, row by row from the top left; 255 for one */
} modelyard_heat_map;

typedef struct modelyard_bounds {
    double x; /* pixels of the picture, upright, from its top left */
    double y;
    double width;
    double height;
} modelyard_bounds;

/* A closed line. */
typedef struct modelyard_polygon {
    const double* points; /* x and y in turn, in pixels of the picture */
    size_t num_points;
} modelyard_polygon;

/* One thing that the model says. Parts that its kind does not have are NULL and 0. */
typedef struct modelyard_annotation {
    const char* kind;  /* "class", "box", "mask", "polygon" or "vector" */
    const char* label; /* not NULL; empty of a vector */
    double score;      /* 0 to 1; 0 of a vector */
    double x;          /* of a box, with y, width and height: pixels of the picture, upright, from its top left */
    double y;
    double width;      /* of a box, or of a mask's picture */
    double height;
    const char* counts; /* of a mask: COCO's compressed run lengths, column by column */
    const modelyard_heat_map* heat_map; /* of the class of a picture that was looked at for anomalies */
    const double* values;   /* of a vector, whose length is one: see modelyard_similarity */
    size_t num_values;
    const modelyard_bounds* box; /* of a mask of one object: where it lies */
    const modelyard_polygon* polygons; /* of a mask of one object: outlines of its parts, without holes; of a polygon itself: one */
    size_t num_polygons;
    const char* text; /* of a polygon: the line of text, of which its four corners go around from where it begins */
} modelyard_annotation;

/* The answer to one item, best first. */
typedef struct modelyard_answer {
    const modelyard_annotation* annotations;
    size_t num_annotations;
    int width_px; /* of the picture, upright; 0 of a text */
    int height_px;
    int ask_a_person; /* 1: a person should look, 0: need not; -1: no error rate was chosen for the model */
    const char* const* possible_labels; /* that are possible at the error rate, best first */
    size_t num_possible_labels;
} modelyard_answer;

/* What the replay of the golden samples showed. */
typedef struct modelyard_selftest_result {
    int num_samples;
    double max_difference; /* from the trained model */
    double tolerance;
    int is_passed;
    char environment[128]; /* compiler and version of ONNX Runtime */
} modelyard_selftest_result;

/* How long one item takes, in milliseconds, on one thread of the caller. */
typedef struct modelyard_bench_result {
    int num_runs;
    double decode_ms; /* medians: reading the file's bytes */
    double predict_ms; /* and answering */
    double p95_ms;    /* of both together */
} modelyard_bench_result;

/* Loads a model and runs it once, so that the first answer is as fast as the others.
 * folder: holds artefact.json and model.onnx. options: may be NULL. */
MODELYARD_API modelyard_status modelyard_load(const char* folder, const modelyard_options* options, modelyard_model** model);

MODELYARD_API void modelyard_free(modelyard_model* model);

/* Answers a JPEG, PNG, BMP or GIF file; of a model of texts a file in UTF-8, which is one text. The answer is given back with modelyard_answer_free. */
MODELYARD_API modelyard_status modelyard_predict_file(
    modelyard_model* model, const char* path, const modelyard_query* query, modelyard_answer** answer);

/* The same of the file's bytes: of a model of texts a text in UTF-8, without a NUL at its end. */
MODELYARD_API modelyard_status modelyard_predict_bytes(
    modelyard_model* model, const void* data, size_t size, const modelyard_query* query, modelyard_answer** answer);

/* The same of pixels, of a model of pictures: rows from the top, uint8, 1 (grey), 3 (RGB) or 4 (RGBA) channels, laid over white where transparent.
 * stride: bytes from row to row; 0: width * channels. */
MODELYARD_API modelyard_status modelyard_predict_pixels(
    modelyard_model* model,
    const uint8_t* pixels,
    int width,
    int height,
    int channels,
    size_t stride,
    const modelyard_query* query,
    modelyard_answer** answer);

/* Answers many files on several threads. answers[i] is NULL where statuses[i] is not MODELYARD_OK.
 * num_threads: 1 to 256; 0: as many as the processor has cores. Returns MODELYARD_OK, or the first status that is another. */
MODELYARD_API modelyard_status modelyard_predict_batch(
    modelyard_model* model,
    const char* const* paths,
    size_t num_paths,
    int num_threads,
    const modelyard_query* query,
    modelyard_answer** answers,
    modelyard_status* statuses);

MODELYARD_API void modelyard_answer_free(modelyard_answer* answer);

/* How much two pictures show the same thing, -1 to 1, by the vectors that the same model answered them with. */
MODELYARD_API modelyard_status modelyard_similarity(
    const modelyard_annotation* one, const modelyard_annotation* other, double* similarity);

/* Answers the golden samples beside the model and compares with the trained model. */
MODELYARD_API modelyard_status modelyard_selftest(modelyard_model* model, modelyard_selftest_result* result);

/* Measures on this machine. path: a file; NULL: the first golden sample. num_runs: 1 to 100,000. */
MODELYARD_API modelyard_status modelyard_bench(
    modelyard_model* model, const char* path, int num_runs, modelyard_bench_result* result);

/* Gives the product another model: the one of a model update, which is whole and has answered its golden samples here before it takes the place
 * of the one before; that stays in any other case, MODELYARD_ARTEFACT_DAMAGED among them. Both lie in models beside artefact.
 * artefact: the folder of the model that came with the product. update: the unpacked update; NULL: back to the model before.
 * allow_other_labels: 1 takes a model of other labels too. options: as of modelyard_load. */
MODELYARD_API modelyard_status modelyard_update(
    const char* artefact, const char* update, int allow_other_labels, const modelyard_options* options);

/* Which model answers now, to be loaded: the folder artefact itself, or that of the latest update. size: of folder, in bytes. */
MODELYARD_API modelyard_status modelyard_installed(const char* artefact, char* folder, size_t size);

/* Why the last call on this thread failed: a stable code, a colon and a sentence. Empty where it did not. */
MODELYARD_API const char* modelyard_message(void);

#ifdef __cplusplus
}
#endif

#endif
