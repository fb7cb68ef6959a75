package io.modelyard.android;

import android.Manifest;
import android.content.pm.PackageManager;
import android.graphics.Color;
import android.os.Bundle;
import android.view.Gravity;
import android.widget.FrameLayout;
import android.widget.TextView;
import androidx.activity.ComponentActivity;
import androidx.camera.core.CameraSelector;
import androidx.camera.core.ImageAnalysis;
import androidx.camera.core.ImageProxy;
import androidx.camera.core.Preview;
import androidx.camera.lifecycle.ProcessCameraProvider;
import androidx.camera.view.PreviewView;
import com.google.common.util.concurrent.ListenableFuture;
import io.modelyard.Annotation;
import io.modelyard.LoadOptions;
import io.modelyard.Model;
import io.modelyard.ModelException;
import io.modelyard.Pixels;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Shows what the camera sees and what the model answers. */
public final class MainActivity extends ComponentActivity {
    private static final int CAMERA_REQUEST = 1;

    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private PreviewView preview;
    private TextView answer;
    /** Used on the worker's thread alone. */
    private Model model;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        preview = new PreviewView(this);
        answer = new TextView(this);
        answer.setTextColor(Color.WHITE);
        answer.setBackgroundColor(Color.argb(160, 0, 0, 0));
        answer.setPadding(32, 32, 32, 32);
        FrameLayout page = new FrameLayout(this);
        page.addView(preview);
        page.addView(answer, new FrameLayout.LayoutParams(FrameLayout.LayoutParams.MATCH_PARENT, FrameLayout.LayoutParams.WRAP_CONTENT, Gravity.BOTTOM));
        setContentView(page);
        worker.execute(this::load);
        if (checkSelfPermission(Manifest.permission.CAMERA) == PackageManager.PERMISSION_GRANTED) start();
        else requestPermissions(new String[] {Manifest.permission.CAMERA}, CAMERA_REQUEST);
    }

    @Override
    public void onRequestPermissionsResult(int request, String[] permissions, int[] results) {
        super.onRequestPermissionsResult(request, permissions, results);
        if (results.length > 0 && results[0] == PackageManager.PERMISSION_GRANTED) start();
        else show("The camera is needed. 需要摄像头权限。");
    }

    @Override
    protected void onDestroy() {
        super.onDestroy();
        worker.execute(() -> {
            if (model != null) model.close();
            model = null;
        });
        worker.shutdown();
    }

    private void load() {
        try {
            model = Model.load(name -> getAssets().open(name), new LoadOptions().pictureDecoder(new BitmapDecoder()));
        } catch (ModelException error) {
            show(error.code() + ": " + error.getMessage());
        }
    }

    private void start() {
        ListenableFuture<ProcessCameraProvider> coming = ProcessCameraProvider.getInstance(this);
        coming.addListener(() -> {
            try {
                bind(coming.get());
            } catch (ExecutionException | InterruptedException error) {
                show(String.valueOf(error.getMessage()));
            }
        }, getMainExecutor());
    }

    private void bind(ProcessCameraProvider camera) {
        Preview shown = new Preview.Builder().build();
        shown.setSurfaceProvider(preview.getSurfaceProvider());
        ImageAnalysis analysis =
                new ImageAnalysis.Builder()
                        .setBackpressureStrategy(ImageAnalysis.STRATEGY_KEEP_ONLY_LATEST)
                        .setOutputImageFormat(ImageAnalysis.OUTPUT_IMAGE_FORMAT_RGBA_8888)
                        .setOutputImageRotationEnabled(true)
                        .build();
        analysis.setAnalyzer(worker, this::analyze);
        camera.unbindAll();
        camera.bindToLifecycle(this, CameraSelector.DEFAULT_BACK_CAMERA, shown, analysis);
    }

    private void analyze(ImageProxy image) {
        try (ImageProxy frame = image) {
            if (model == null) return;
            long beganAt = System.nanoTime();
            List<Annotation> found = model.predict(pixelsOf(frame));
            show(textOf(found, (System.nanoTime() - beganAt) / 1e6));
        } catch (ModelException error) {
            show(error.code() + ": " + error.getMessage());
        }
    }

    /** A frame without the gaps at the ends of its rows. */
    private static Pixels pixelsOf(ImageProxy frame) {
        ImageProxy.PlaneProxy plane = frame.getPlanes()[0];
        ByteBuffer buffer = plane.getBuffer();
        int width = frame.getWidth();
        int height = frame.getHeight();
        byte[] rgba = new byte[width * height * 4];
        for (int y = 0; y < height; y++) {
            buffer.position(y * plane.getRowStride());
            buffer.get(rgba, y * width * 4, width * 4);
        }
        return new Pixels(rgba, width, height, 4);
    }

    private static String textOf(List<Annotation> found, double ms) {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT, "%.0f ms", ms));
        for (Annotation each : found) {
            text.append('\n');
            for (double number : each.values()) text.append(String.format(Locale.ROOT, "%.2f ", number));
            if (!each.label().isEmpty()) text.append(each.label()).append(String.format(Locale.ROOT, "  %.2f", each.score()));
            if (each.kind().equals("box")) text.append(placeOf(each.x(), each.y(), each.width(), each.height()));
            if (each.box() != null) text.append(placeOf(each.box().x, each.box().y, each.box().width, each.box().height));
        }
        return text.toString();
    }

    private static String placeOf(double x, double y, double width, double height) {
        return String.format(Locale.ROOT, "  (%.0f, %.0f, %.0f x %.0f)", x, y, width, height);
    }

    private void show(String text) {
        runOnUiThread(() -> answer.setText(text));
    }
}
