package io.modelyard;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the cells of tables as training does: what is missing, which number a text means. Mirrors {@code cells.py}. */
final class Cells {
    private static final Set<String> MISSING_WORDS =
            new HashSet<>(
                    Arrays.asList(
                            "", "na", "n/a", "#n/a", "#na", "<na>", "nan", "null", "none", "nil", "-", "--", "?", "#null!", "#div/0!",
                            "#value!", "\u7f3a\u5931"));
    /** Dollar, euro, pound, yen (narrow and wide), rupee. */
    private static final String CURRENCIES = "$\u20ac\u00a3\u00a5\uffe5\u20b9";

    private static final Pattern AROUND =
            Pattern.compile("^[" + White.CLASS + CURRENCIES + "]+|[" + White.CLASS + "%\uff05" + CURRENCIES + "\u5143]+\\z");
    /** A sign in front of a currency's sign. */
    private static final Pattern SIGNED = Pattern.compile("^[" + White.CLASS + "]*([+-])(?=[" + White.CLASS + "]*[" + CURRENCIES + "])");

    /** Of a unit so long the case does not count: KWH is kWh, but mb is not MB, nor M a metre. */
    private static final int ANY_CASE_CHARS = 3;
    /** Doubles from here on are no longer written as whole numbers. */
    private static final double LARGE_WHOLE = 1e15;

    private static final int MOST_DIGITS = 17;

    private final boolean isComma;
    private final List<String> units;
    private final Pattern plain;
    private final Pattern grouped;
    private final Pattern parted;

    /**
     * Cells of one column.
     *
     * @param decimal the decimal sign, a point or a comma; the other one may part thousands.
     * @param units spellings of the column's unit.
     */
    Cells(String decimal, List<String> units) {
        isComma = decimal.equals(",");
        String point = isComma ? "," : "\\.";
        String other = "[" + (isComma ? "." : ",") + White.CLASS + "'\u2019]";
        this.units = new ArrayList<>(units);
        this.units.sort((a, b) -> Integer.compare(b.length(), a.length()));
        plain = Pattern.compile("[+-]?([0-9]+" + point + "?[0-9]*|" + point + "[0-9]+)([eE][+-]?[0-9]+)?");
        grouped = Pattern.compile("[+-]?[0-9]{1,3}(" + other + "[0-9]{3})+(" + point + "[0-9]*)?");
        parted = Pattern.compile(other);
    }

    static boolean isMissing(Object cell) {
        if (cell == null) return true;
        if (cell instanceof String) return MISSING_WORDS.contains(White.stripped((String) cell).toLowerCase(Locale.ROOT));
        return isFraction(cell) && Double.isNaN(((Number) cell).doubleValue());
    }

    /** Whether a cell is a number that Python has as a float. */
    static boolean isFraction(Object cell) {
        return cell instanceof Double || cell instanceof Float || cell instanceof BigDecimal;
    }

    /** A cell as a category or a text; empty when it is missing. Numbers are written without needless zeros. */
    static String textOf(Object cell) {
        if (isMissing(cell)) return "";
        if (!isFraction(cell)) return White.stripped(String.valueOf(cell));
        double number = ((Number) cell).doubleValue();
        return number == Math.rint(number) && Math.abs(number) < LARGE_WHOLE ? String.valueOf((long) number) : written(number);
    }

    /** A cell as Python's {@code str} writes it. */
    static String plainText(Object cell) {
        return isFraction(cell) ? written(((Number) cell).doubleValue()) : String.valueOf(cell);
    }

    /** A number as Python writes it: with as many digits as tell it from its neighbours. */
    private static String written(double number) {
        if (Double.isInfinite(number)) return number > 0 ? "inf" : "-inf";
        if (number == 0) return 1 / number < 0 ? "-0.0" : "0.0";
        BigDecimal exact = new BigDecimal(number);
        BigDecimal shortest = exact;
        for (int digits = 1; digits <= MOST_DIGITS; digits++) {
            shortest = exact.round(new MathContext(digits));
            if (shortest.doubleValue() == number) break;
        }
        shortest = shortest.stripTrailingZeros();
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= -4 && exponent < 16) return shortest.scale() <= 0 ? shortest.toPlainString() + ".0" : shortest.toPlainString();
        String digits = shortest.unscaledValue().abs().toString();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String sign = exponent < 0 ? "-" : "+";
        String size = (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
        return (number < 0 ? "-" : "") + digits.charAt(0) + fraction + "e" + sign + size;
    }

    /** The number that a cell means; NaN when it is missing, null when it is no number. */
    Double numberOf(Object cell) {
        if (isMissing(cell)) return Double.NaN;
        if (cell instanceof Boolean) return (Boolean) cell ? 1.0 : 0.0;
        if (cell instanceof Number) return finite(((Number) cell).doubleValue());
        String text = White.asciiDigits((String) cell);
        double sign = 1;
        if (!plain.matcher(text).matches()) {
            text = White.stripped(text).replace('\u2212', '-');
            if (isInBrackets(text)) {
                sign = -1;
                text = text.substring(1, text.length() - 1);
            }
            text = bare(text);
            if (sign > 0 && isInBrackets(text)) {
                sign = -1;
                text = text.substring(1, text.length() - 1);
            }
            if (!plain.matcher(text).matches()) {
                if (!grouped.matcher(text).matches()) return null;
                text = parted.matcher(text).replaceAll("");
            }
        }
        return finite(sign * Double.parseDouble(text.replace(',', '.')));
    }

    private static Double finite(double value) {
        return Double.isNaN(value) || Double.isInfinite(value) ? null : value;
    }

    private static boolean isInBrackets(String text) {
        return text.length() > 1 && text.startsWith("(") && text.endsWith(")");
    }

    /** A number's text without its unit, or, where the column has none, without signs of currencies and per cent. */
    private String bare(String text) {
        if (units.isEmpty()) {
            Matcher signed = SIGNED.matcher(text);
            if (!signed.find()) return AROUND.matcher(text).replaceAll("");
            return signed.group(1) + AROUND.matcher(text.substring(signed.end())).replaceAll("");
        }
        String sign = "";
        String rest = White.stripped(text);
        if (rest.startsWith("+") || rest.startsWith("-")) {
            sign = rest.substring(0, 1);
            rest = White.stripped(rest.substring(1));
        }
        for (String unit : units) {
            if (rest.length() < unit.length() || !isUnit(rest.substring(0, unit.length()), unit)) continue;
            rest = White.stripped(rest.substring(unit.length()));
            break;
        }
        for (String unit : units) {
            if (rest.length() < unit.length() || !isUnit(rest.substring(rest.length() - unit.length()), unit)) continue;
            rest = rest.substring(0, rest.length() - unit.length());
            break;
        }
        return sign + White.stripped(rest);
    }

    private static boolean isUnit(String text, String unit) {
        boolean isLong = unit.length() >= ANY_CASE_CHARS;
        return text.equals(unit) || (isLong && text.toLowerCase(Locale.ROOT).equals(unit.toLowerCase(Locale.ROOT)));
    }

    /** A category whatever its case and the spaces in and around it: spellings of one value are equal then. */
    static String folded(String text) {
        StringBuilder cased = new StringBuilder();
        for (int at = 0; at < text.length(); ) {
            int sign = text.codePointAt(at);
            String own = text.substring(at, at + Character.charCount(sign));
            at += own.length();
            // Through upper case: sharp s is ss then, as with Python's casefold. The dotless i has no other case there.
            if (sign != 0x131) own = own.toLowerCase(Locale.ROOT).toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT).replace('\u03c2', '\u03c3');
            cased.append(own);
        }
        StringBuilder found = new StringBuilder();
        for (String word : White.words(cased.toString())) found.append(found.length() == 0 ? "" : " ").append(word);
        return found.toString();
    }
}
