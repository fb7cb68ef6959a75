// The library for C# programs: P/Invoke of modelyard.h. It needs the shared library, which CMake builds with
// -DBUILD_SHARED_LIBS=ON. For C# 6 and later, on Mono and on .NET.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Modelyard
{
    /// <summary>A call that failed. The message is a stable code, a colon and a sentence.</summary>
    public sealed class ModelyardException : Exception
    {
        internal ModelyardException(int status, string message) : base(message)
        {
            Status = status;
            Code = message.Split(':')[0];
        }

        /// <summary>The number of modelyard_status.</summary>
        public int Status { get; }

        /// <summary>A stable name of what is wrong, such as <c>picture_unreadable</c>.</summary>
        public string Code { get; }
    }

    /// <summary>One thing that the model says; the best comes first.</summary>
    public sealed class Annotation
    {
        /// <summary>"class", "box", "mask", "polygon" or "vector".</summary>
        public string Kind { get; internal set; }

        /// <summary>Empty of a vector.</summary>
        public string Label { get; internal set; }

        /// <summary>0 to 1; 0 of a vector.</summary>
        public double Score { get; internal set; }

        /// <summary>Of a box, with Y, Width and Height: pixels of the picture, upright, from its top left.</summary>
        public double X { get; internal set; }

        public double Y { get; internal set; }

        public double Width { get; internal set; }

        public double Height { get; internal set; }

        /// <summary>Of a vector, whose length is one; else empty.</summary>
        public double[] Values { get; internal set; }

        /// <summary>Of a line of text; else null.</summary>
        public string Text { get; internal set; }
    }

    /// <summary>What the replay of the golden samples showed.</summary>
    public sealed class SelftestResult
    {
        public int NumSamples { get; internal set; }

        /// <summary>From the trained model.</summary>
        public double MaxDifference { get; internal set; }

        public double Tolerance { get; internal set; }

        public bool IsPassed { get; internal set; }

        /// <summary>Compiler and version of ONNX Runtime.</summary>
        public string Environment { get; internal set; }
    }

    /// <summary>A loaded model. It may be used from several threads at once; Dispose waits for nobody.</summary>
    public sealed class Model : IDisposable
    {
        private readonly ModelHandle handle;

        /// <summary>Loads a model.</summary>
        /// <param name="folder">Holds artefact.json and model.onnx.</param>
        /// <param name="library">Path of ONNX Runtime's shared library; null: MODELYARD_ONNXRUNTIME, else the system's search.</param>
        /// <param name="numThreads">Of one prediction, 1 to 256; 0: one.</param>
        public Model(string folder, string library = null, int numThreads = 0)
        {
            using (var path = new Utf8(library))
            {
                var options = new Native.Options { Library = path.Pointer, NumThreads = numThreads };
                Native.Check(Native.modelyard_load(Native.Bytes(folder), ref options, out handle));
            }
        }

        /// <summary>Answers a file: a picture, or a text in UTF-8.</summary>
        /// <param name="threshold">Lowest score, 0 to 1; negative: the model's own thresholds.</param>
        /// <param name="top">At most so many; 0: as many as usual.</param>
        public List<Annotation> PredictFile(string path, double threshold = -1, int top = 0)
        {
            var query = new Native.Query { Threshold = threshold, Top = top };
            IntPtr answer;
            Native.Check(Native.modelyard_predict_file(handle, Native.Bytes(path), ref query, out answer));
            return Native.Taken(answer);
        }

        /// <summary>The same of the file's bytes.</summary>
        public List<Annotation> PredictBytes(byte[] data, double threshold = -1, int top = 0)
        {
            var query = new Native.Query { Threshold = threshold, Top = top };
            IntPtr answer;
            Native.Check(Native.modelyard_predict_bytes(handle, data, (UIntPtr)data.Length, ref query, out answer));
            return Native.Taken(answer);
        }

        /// <summary>Answers the golden samples beside the model and compares with the trained model.</summary>
        public SelftestResult Selftest()
        {
            Native.Selftest result;
            Native.Check(Native.modelyard_selftest(handle, out result));
            return new SelftestResult
            {
                NumSamples = result.NumSamples,
                MaxDifference = result.MaxDifference,
                Tolerance = result.Tolerance,
                IsPassed = result.IsPassed != 0,
                Environment = Encoding.UTF8.GetString(result.Environment).TrimEnd('\0'),
            };
        }

        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>The folder of the model that answers now, to be loaded: the one given, or that of the latest update.</summary>
        /// <param name="artefact">Folder of the model that came with the product.</param>
        public static string Installed(string artefact)
        {
            var folder = new byte[Native.LongestPath];
            Native.Check(Native.modelyard_installed(Native.Bytes(artefact), folder, (UIntPtr)folder.Length));
            return Encoding.UTF8.GetString(folder, 0, Array.IndexOf(folder, (byte)0));
        }

        /// <summary>Gives the product the model of an update, which is whole, fits and has answered its golden samples here; in any
        /// other case the one before stays. Load what Installed names then.</summary>
        /// <param name="artefact">Folder of the model that came with the product.</param>
        /// <param name="update">The unpacked update.</param>
        /// <param name="allowOtherLabels">Whether a model of other labels is taken too.</param>
        /// <param name="library">As of the constructor; so is numThreads.</param>
        public static void Update(
            string artefact, string update, bool allowOtherLabels = false, string library = null, int numThreads = 0)
        {
            if (update == null) throw new ArgumentNullException("update");
            using (var path = new Utf8(library))
            {
                var options = new Native.Options { Library = path.Pointer, NumThreads = numThreads };
                Native.Check(Native.modelyard_update(
                    Native.Bytes(artefact), Native.Bytes(update), allowOtherLabels ? 1 : 0, ref options));
            }
        }

        /// <summary>Lets the model before answer again.</summary>
        public static void RollBack(string artefact)
        {
            var options = new Native.Options();
            Native.Check(Native.modelyard_update(Native.Bytes(artefact), null, 0, ref options));
        }
    }

    /// <summary>Gives the model back, also where nobody disposed of it.</summary>
    internal sealed class ModelHandle : SafeHandle
    {
        private ModelHandle() : base(IntPtr.Zero, true)
        {
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            Native.modelyard_free(handle);
            return true;
        }
    }

    /// <summary>A text as the library reads it, until it is disposed of.</summary>
    internal sealed class Utf8 : IDisposable
    {
        public Utf8(string text)
        {
            if (text == null) return;
            var bytes = Native.Bytes(text);
            Pointer = Marshal.AllocHGlobal(bytes.Length);
            Marshal.Copy(bytes, 0, Pointer, bytes.Length);
        }

        public IntPtr Pointer { get; private set; }

        public void Dispose()
        {
            Marshal.FreeHGlobal(Pointer);
            Pointer = IntPtr.Zero;
        }
    }

    /// <summary>modelyard.h, as far as it is used here.</summary>
    internal static class Native
    {
        public const int LongestPath = 32768;
        private const string Name = "modelyard";

        [StructLayout(LayoutKind.Sequential)]
        public struct Options
        {
            public IntPtr Library;
            public int NumThreads;
        }

        [StructLayout(LayoutKind.Sequential)]
        public struct Query
        {
            public double Threshold;
            public int Top;
        }

        [StructLayout(LayoutKind.Sequential)]
        public struct Selftest
        {
            public int NumSamples;
            public double MaxDifference;
            public double Tolerance;
            public int IsPassed;

            [MarshalAs(UnmanagedType.ByValArray, SizeConst = 128)]
            public byte[] Environment;
        }

        [StructLayout(LayoutKind.Sequential)]
        private struct Said
        {
            public IntPtr Kind;
            public IntPtr Label;
            public double Score;
            public double X;
            public double Y;
            public double Width;
            public double Height;
            public IntPtr Counts;
            public IntPtr HeatMap;
            public IntPtr Values;
            public UIntPtr NumValues;
            public IntPtr Box;
            public IntPtr Polygons;
            public UIntPtr NumPolygons;
            public IntPtr Text;
        }

        [StructLayout(LayoutKind.Sequential)]
        private struct Answer
        {
            public IntPtr Annotations;
            public UIntPtr NumAnnotations;
        }

        [DllImport(Name, CallingConvention = CallingConvention.Cdecl)]
        public static extern int modelyard_load(byte[] folder, ref Options options, out ModelHandle model);

        [DllImport(Name, CallingConvention = CallingConvention.Cdecl)]
        public static extern void modelyard_free(IntPtr model);

        [DllImport(Name, CallingConvention = CallingConvention.Cdecl)]
        public static extern int modelyard_predict_file(ModelHandle model, byte[] path, ref Query query, out IntPtr answer);

        [DllImport(Name, CallingConvention = CallingConvention.Cdecl)]
        public static extern int modelyard_predict_bytes(
            ModelHandle model, byte[] data, UIntPtr size, ref Query query, out IntPtr answer);

        [DllImport(Name, CallingConvention = CallingConvention.Cdecl)]
        public static extern int modelyard_selftest(ModelHandle model, out Selftest result);

        [DllImport(Name, CallingConvention = CallingConvention.Cdecl)]
        public static extern int modelyard_update(byte[] artefact, byte[] update, int allowOtherLabels, ref Options options);

        [DllImport(Name, CallingConvention = CallingConvention.Cdecl)]
        public static extern int modelyard_installed(byte[] artefact, byte[] folder, UIntPtr size);

        [DllImport(Name, CallingConvention = CallingConvention.Cdecl)]
        private static extern void modelyard_answer_free(IntPtr answer);

        [DllImport(Name, CallingConvention = CallingConvention.Cdecl)]
        private static extern IntPtr modelyard_message();

        /// <summary>A text in UTF-8 with a NUL behind it.</summary>
        public static byte[] Bytes(string text)
        {
            return Encoding.UTF8.GetBytes(text + "\0");
        }

        /// <summary>Throws what the last call on this thread left, where it failed.</summary>
        public static void Check(int status)
        {
            if (status != 0) throw new ModelyardException(status, Text(modelyard_message()));
        }

        /// <summary>An answer as objects; its memory is given back.</summary>
        public static List<Annotation> Taken(IntPtr pointer)
        {
            try
            {
                var answer = (Answer)Marshal.PtrToStructure(pointer, typeof(Answer));
                var found = new List<Annotation>();
                for (var number = 0; number < (int)answer.NumAnnotations; number++)
                {
                    var place = IntPtr.Add(answer.Annotations, number * Marshal.SizeOf(typeof(Said)));
                    found.Add(Told((Said)Marshal.PtrToStructure(place, typeof(Said))));
                }
                return found;
            }
            finally
            {
                modelyard_answer_free(pointer);
            }
        }

        private static Annotation Told(Said said)
        {
            var values = new double[(int)said.NumValues];
            if (values.Length > 0) Marshal.Copy(said.Values, values, 0, values.Length);
            return new Annotation
            {
                Kind = Text(said.Kind),
                Label = Text(said.Label),
                Score = said.Score,
                X = said.X,
                Y = said.Y,
                Width = said.Width,
                Height = said.Height,
                Values = values,
                Text = Text(said.Text),
            };
        }

        private static string Text(IntPtr pointer)
        {
            if (pointer == IntPtr.Zero) return null;
            var length = 0;
            while (Marshal.ReadByte(pointer, length) != 0) length++;
            var bytes = new byte[length];
            Marshal.Copy(pointer, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }
    }
}
