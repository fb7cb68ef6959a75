package io.modelyard;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;

/** A tensor for one input of the graph. */
interface Feed {
    OnnxTensor open(OrtEnvironment environment) throws OrtException;

    static Feed bytes(byte[] values, long... shape) {
        return environment -> OnnxTensor.createTensor(environment, ByteBuffer.wrap(values), shape, OnnxJavaType.UINT8);
    }

    static Feed floats(float[] values, long... shape) {
        return environment -> OnnxTensor.createTensor(environment, FloatBuffer.wrap(values), shape);
    }

    static Feed longs(long[] values, long... shape) {
        return environment -> OnnxTensor.createTensor(environment, LongBuffer.wrap(values), shape);
    }

    static Feed texts(String[] values, long... shape) {
        return environment -> OnnxTensor.createTensor(environment, values, shape);
    }
}
