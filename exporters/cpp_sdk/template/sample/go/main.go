// sample FOLDER [--library PATH] [--threshold X] FILE...    label and score, a line each
// sample FOLDER [--library PATH] --selftest                 replays the golden samples
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"modelyard.example/sample/modelyard"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(arguments []string) int {
	folder, isSelftest, files := "", false, []string{}
	options, query := modelyard.Options{}, modelyard.Usual
	for place := 0; place < len(arguments); place++ {
		each, hasValue := arguments[place], place+1 < len(arguments)
		switch {
		case each == "--selftest":
			isSelftest = true
		case each == "--library" && hasValue:
			place++
			options.Library = arguments[place]
		case each == "--threshold" && hasValue:
			place++
			threshold, err := strconv.ParseFloat(arguments[place], 64)
			if err != nil {
				return failed(err)
			}
			query.Threshold = threshold
		case folder == "":
			folder = each
		default:
			files = append(files, each)
		}
	}
	if folder == "" || (!isSelftest && len(files) == 0) {
		fmt.Fprintln(os.Stderr, "usage: sample FOLDER [--library PATH] [--threshold X] FILE... | --selftest")
		return 2
	}
	model, err := modelyard.Load(folder, options)
	if err != nil {
		return failed(err)
	}
	defer model.Close()
	if isSelftest {
		return selftest(model)
	}
	return predict(model, files, query)
}

func predict(model *modelyard.Model, files []string, query modelyard.Query) int {
	status := 0
	for _, file := range files {
		found, err := model.PredictFile(file, query)
		if err != nil {
			status = failed(fmt.Errorf("%s: %w", file, err))
		}
		for _, each := range found {
			fmt.Printf("%s\t%.6f\n", each.Label, each.Score)
		}
	}
	return status
}

func selftest(model *modelyard.Model) int {
	result, err := model.Selftest()
	if err != nil {
		return failed(err)
	}
	shown, err := json.Marshal(result)
	if err != nil {
		return failed(err)
	}
	fmt.Println(string(shown))
	if !result.IsPassed {
		return 1
	}
	return 0
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}
