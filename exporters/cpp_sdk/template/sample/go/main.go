// sample FOLDER [--library PATH] [--threshold X] FILE...    label and score, a line each
// sample FOLDER [--library PATH] --selftest                 replays the golden samples
// sample FOLDER [--library PATH] --update UPDATE [--allow-other-labels]    another model answers from now on
// sample FOLDER --rollback                                  the one before answers again
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
	folder, update, files := "", "", []string{}
	isSelftest, isRollback, allowOtherLabels := false, false, false
	options, query := modelyard.Options{}, modelyard.Usual
	for place := 0; place < len(arguments); place++ {
		each, hasValue := arguments[place], place+1 < len(arguments)
		switch {
		case each == "--selftest":
			isSelftest = true
		case each == "--rollback":
			isRollback = true
		case each == "--allow-other-labels":
			allowOtherLabels = true
		case each == "--update" && hasValue:
			place++
			update = arguments[place]
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
	if folder == "" || (!isSelftest && !isRollback && update == "" && len(files) == 0) {
		fmt.Fprintln(os.Stderr, "usage: sample FOLDER [--library PATH] [--threshold X] FILE... | --selftest | --update UPDATE | --rollback")
		return 2
	}
	if update != "" {
		return installed(folder, modelyard.Update(folder, update, allowOtherLabels, options))
	}
	if isRollback {
		return installed(folder, modelyard.RollBack(folder))
	}
	answering, err := modelyard.Installed(folder)
	if err != nil {
		return failed(err)
	}
	model, err := modelyard.Load(answering, options)
	if err != nil {
		return failed(err)
	}
	defer model.Close()
	if isSelftest {
		return selftest(model)
	}
	return predict(model, files, query)
}

func installed(folder string, err error) int {
	if err != nil {
		return failed(err)
	}
	answering, err := modelyard.Installed(folder)
	if err != nil {
		return failed(err)
	}
	shown, err := json.Marshal(map[string]string{"artefact_dir": answering})
	if err != nil {
		return failed(err)
	}
	fmt.Println(string(shown))
	return 0
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
