// Sample FOLDER [--library PATH] [--threshold X] FILE...    label and score, a line each
// Sample FOLDER [--library PATH] --selftest                 replays the golden samples
// Sample FOLDER [--library PATH] --update UPDATE [--allow-other-labels]    another model answers from now on
// Sample FOLDER --rollback                                  the one before answers again
using System;
using System.Collections.Generic;
using System.Globalization;
using Modelyard;

internal static class Sample
{
    private static int Main(string[] arguments)
    {
        CultureInfo.DefaultThreadCurrentCulture = CultureInfo.InvariantCulture;
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        string folder = null, library = null, update = null;
        var threshold = -1.0;
        bool isSelftest = false, isRollback = false, allowOtherLabels = false;
        var files = new List<string>();
        for (var place = 0; place < arguments.Length; place++)
        {
            var each = arguments[place];
            if (each == "--selftest") isSelftest = true;
            else if (each == "--rollback") isRollback = true;
            else if (each == "--allow-other-labels") allowOtherLabels = true;
            else if (each == "--update" && place + 1 < arguments.Length) update = arguments[++place];
            else if (each == "--library" && place + 1 < arguments.Length) library = arguments[++place];
            else if (each == "--threshold" && place + 1 < arguments.Length) threshold = double.Parse(arguments[++place]);
            else if (folder == null) folder = each;
            else files.Add(each);
        }
        if (folder == null || (!isSelftest && !isRollback && update == null && files.Count == 0))
        {
            Console.Error.WriteLine("usage: Sample FOLDER [--library PATH] [--threshold X] FILE... | --selftest | --update UPDATE | --rollback");
            return 2;
        }
        try
        {
            if (update != null) Model.Update(folder, update, allowOtherLabels, library);
            else if (isRollback) Model.RollBack(folder);
            if (update != null || isRollback) return Installed(folder);
            using (var model = new Model(Model.Installed(folder), library))
            {
                return isSelftest ? Selftest(model) : Predict(model, files, threshold);
            }
        }
        catch (ModelyardException error)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
    }

    private static int Installed(string folder)
    {
        Console.WriteLine("{{\"artefact_dir\": \"{0}\"}}", Model.Installed(folder).Replace("\\", "\\\\").Replace("\"", "\\\""));
        return 0;
    }

    private static int Predict(Model model, List<string> files, double threshold)
    {
        var numFailed = 0;
        foreach (var file in files)
        {
            try
            {
                foreach (var each in model.PredictFile(file, threshold)) Console.WriteLine("{0}\t{1:F6}", each.Label, each.Score);
            }
            catch (ModelyardException error)
            {
                Console.Error.WriteLine("{0}: {1}", file, error.Message);
                numFailed++;
            }
        }
        return numFailed == 0 ? 0 : 1;
    }

    private static int Selftest(Model model)
    {
        var result = model.Selftest();
        Console.WriteLine(
            "{{\"num_samples\": {0}, \"max_difference\": {1:R}, \"tolerance\": {2:R}, \"is_passed\": {3}, \"environment\": \"{4}\"}}",
            result.NumSamples, result.MaxDifference, result.Tolerance, result.IsPassed ? "true" : "false", result.Environment);
        return result.IsPassed ? 0 : 1;
    }
}
