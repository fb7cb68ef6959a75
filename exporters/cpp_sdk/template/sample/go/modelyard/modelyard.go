// Package modelyard is the library for Go programs: cgo on modelyard.h. It needs the shared library, which CMake builds
// with -DBUILD_SHARED_LIBS=ON; CGO_LDFLAGS says where it is.
package modelyard

// #cgo CFLAGS: -I${SRCDIR}/../../../include
// #cgo LDFLAGS: -lmodelyard
// #include <stdlib.h>
// #include "modelyard.h"
import "C"

import (
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

const longestPath = 32768

// Error is what a call that failed returns.
type Error struct {
	// Status is the number of modelyard_status.
	Status int
	// Code is a stable name of what is wrong, such as picture_unreadable.
	Code string
	// Message is the code, a colon and a sentence.
	Message string
}

func (e *Error) Error() string { return e.Message }

// Annotation is one thing that the model says; the best comes first.
type Annotation struct {
	// Kind is "class", "box", "mask", "polygon" or "vector".
	Kind string
	// Label is empty of a vector.
	Label string
	// Score is 0 to 1; 0 of a vector.
	Score float64
	// X, Y, Width and Height of a box are pixels of the picture, upright, from its top left.
	X, Y, Width, Height float64
	// Values of a vector, whose length is one; else nil.
	Values []float64
	// Text of a line of text; else empty.
	Text string
}

// SelftestResult is what the replay of the golden samples showed.
type SelftestResult struct {
	NumSamples int `json:"num_samples"`
	// MaxDifference is that from the trained model.
	MaxDifference float64 `json:"max_difference"`
	Tolerance     float64 `json:"tolerance"`
	IsPassed      bool    `json:"is_passed"`
	// Environment is the compiler and the version of ONNX Runtime.
	Environment string `json:"environment"`
}

// Options say how a model is loaded. The zero value is what is usual.
type Options struct {
	// Library is the path of ONNX Runtime's shared library; empty: MODELYARD_ONNXRUNTIME, else the system's search.
	Library string
	// NumThreads of one prediction, 1 to 256; 0: one.
	NumThreads int
}

// Query says what is asked for.
type Query struct {
	// Threshold is the lowest score, 0 to 1; negative: the model's own thresholds.
	Threshold float64
	// Top is the most annotations; 0: as many as usual.
	Top int
}

// Usual asks for what is usual.
var Usual = Query{Threshold: -1}

// Model is a loaded model. It may be used from several goroutines at once.
type Model struct {
	lock   sync.RWMutex
	handle *C.modelyard_model
}

// Load loads a model from a folder that holds artefact.json and model.onnx. Close gives it back.
func Load(folder string, options Options) (*Model, error) {
	name := C.CString(folder)
	defer C.free(unsafe.Pointer(name))
	given, free := handed(options)
	defer free()
	model := &Model{}
	if err := called(func() C.modelyard_status { return C.modelyard_load(name, given, &model.handle) }); err != nil {
		return nil, err
	}
	runtime.SetFinalizer(model, (*Model).Close)
	return model, nil
}

// handed gives options in memory of C, as what is handed over must not hold pointers to memory of Go, and what frees it.
func handed(options Options) (*C.modelyard_options, func()) {
	given := (*C.modelyard_options)(C.calloc(1, C.sizeof_modelyard_options))
	given.num_threads = C.int(options.NumThreads)
	if options.Library != "" {
		given.library = C.CString(options.Library)
	}
	return given, func() {
		C.free(unsafe.Pointer(given.library))
		C.free(unsafe.Pointer(given))
	}
}

// Installed names the folder of the model that answers now, to be loaded: the folder artefact itself, which came with the
// product, or that of the latest update.
func Installed(artefact string) (string, error) {
	name := C.CString(artefact)
	defer C.free(unsafe.Pointer(name))
	folder := (*C.char)(C.malloc(longestPath))
	defer C.free(unsafe.Pointer(folder))
	if err := called(func() C.modelyard_status { return C.modelyard_installed(name, folder, longestPath) }); err != nil {
		return "", err
	}
	return C.GoString(folder), nil
}

// Update gives the product the model of an unpacked update, which is whole, fits and has answered its golden samples here; in
// any other case the one before stays. A model of other labels is taken where that is allowed. Load what Installed names then.
func Update(artefact, update string, allowOtherLabels bool, options Options) error {
	path := C.CString(update)
	defer C.free(unsafe.Pointer(path))
	return changed(artefact, path, allowOtherLabels, options)
}

// RollBack lets the model before answer again.
func RollBack(artefact string) error {
	return changed(artefact, nil, false, Options{})
}

func changed(artefact string, update *C.char, allowOtherLabels bool, options Options) error {
	name := C.CString(artefact)
	defer C.free(unsafe.Pointer(name))
	given, free := handed(options)
	defer free()
	allows := C.int(0)
	if allowOtherLabels {
		allows = 1
	}
	return called(func() C.modelyard_status { return C.modelyard_update(name, update, allows, given) })
}

// Close gives the model back once no call uses it any more. Further calls to Close do nothing.
func (m *Model) Close() {
	m.lock.Lock()
	defer m.lock.Unlock()
	C.modelyard_free(m.handle)
	m.handle = nil
	runtime.SetFinalizer(m, nil)
}

// PredictFile answers a file: a picture, or a text in UTF-8.
func (m *Model) PredictFile(path string, query Query) ([]Annotation, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	return m.predicted(func(asked *C.modelyard_query, answer **C.modelyard_answer) C.modelyard_status {
		return C.modelyard_predict_file(m.handle, name, asked, answer)
	}, query)
}

// PredictBytes answers the bytes of a file.
func (m *Model) PredictBytes(data []byte, query Query) ([]Annotation, error) {
	copied := C.CBytes(data)
	defer C.free(copied)
	return m.predicted(func(asked *C.modelyard_query, answer **C.modelyard_answer) C.modelyard_status {
		return C.modelyard_predict_bytes(m.handle, copied, C.size_t(len(data)), asked, answer)
	}, query)
}

// Selftest answers the golden samples beside the model and compares with the trained model.
func (m *Model) Selftest() (SelftestResult, error) {
	m.lock.RLock()
	defer m.lock.RUnlock()
	var result C.modelyard_selftest_result
	if err := called(func() C.modelyard_status { return C.modelyard_selftest(m.handle, &result) }); err != nil {
		return SelftestResult{}, err
	}
	return SelftestResult{
		NumSamples:    int(result.num_samples),
		MaxDifference: float64(result.max_difference),
		Tolerance:     float64(result.tolerance),
		IsPassed:      result.is_passed != 0,
		Environment:   C.GoString(&result.environment[0]),
	}, nil
}

type prediction func(asked *C.modelyard_query, answer **C.modelyard_answer) C.modelyard_status

func (m *Model) predicted(call prediction, query Query) ([]Annotation, error) {
	m.lock.RLock()
	defer m.lock.RUnlock()
	asked := C.modelyard_query{threshold: C.double(query.Threshold), top: C.int(query.Top)}
	var answer *C.modelyard_answer
	if err := called(func() C.modelyard_status { return call(&asked, &answer) }); err != nil {
		return nil, err
	}
	defer C.modelyard_answer_free(answer)
	said := unsafe.Slice(answer.annotations, int(answer.num_annotations))
	found := make([]Annotation, len(said))
	for place := range said {
		found[place] = told(&said[place])
	}
	return found, nil
}

func told(said *C.modelyard_annotation) Annotation {
	annotation := Annotation{
		Kind:   C.GoString(said.kind),
		Label:  C.GoString(said.label),
		Score:  float64(said.score),
		X:      float64(said.x),
		Y:      float64(said.y),
		Width:  float64(said.width),
		Height: float64(said.height),
		Text:   C.GoString(said.text),
	}
	for _, value := range unsafe.Slice(said.values, int(said.num_values)) {
		annotation.Values = append(annotation.Values, float64(value))
	}
	return annotation
}

// called makes a call and gives its failure. The message is kept by thread, so the goroutine stays on one meanwhile.
func called(call func() C.modelyard_status) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	status := call()
	if status == C.MODELYARD_OK {
		return nil
	}
	message := C.GoString(C.modelyard_message())
	return &Error{Status: int(status), Code: strings.SplitN(message, ":", 2)[0], Message: message}
}
