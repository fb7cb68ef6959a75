package io.modelyard;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads the moments of tables as training does: ISO 8601, seconds, or a format of Python's strptime. Mirrors {@code cells.py}. */
final class Moments {
    /** Stands for a moment that is missing, in seconds. */
    static final long MISSING = Long.MIN_VALUE;

    private static final Pattern DATE =
            Pattern.compile(
                    "^([0-9]{4})(?:-([0-9]{2})-([0-9]{2})|([0-9]{2})([0-9]{2})|-W([0-9]{2})(?:-([0-9]))?|W([0-9]{2})([0-9])?)");
    private static final Pattern TIME =
            Pattern.compile(
                    "([0-9]{2})(?::([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?|([0-9]{2})(?:([0-9]{2})(?:[.,][0-9]+)?)?)?"
                            + "(Z|[+-][0-9]{2}(?::[0-9]{2}(?::[0-9]{2})?|[0-9]{2}(?:[0-9]{2})?)?)?");
    private static final Pattern ZONE = Pattern.compile("^([+-])([0-9]{2}):?([0-9]{2})?:?([0-9]{2})?");
    private static final long DAY_S = 86_400;
    private static final double LONGEST = 1e15;
    private static final String[] MONTHS = {
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"
    };
    private static final String[] DAYS = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
    private static final Map<Character, String> DIRECTIVES = directives();

    private final Cells numbers = new Cells(".", Collections.<String>emptyList());
    private final boolean isIso;
    /** Parts of a second in which moments are counted; 0: they are not counted. */
    private final double perSecond;

    private final Pattern pattern;
    /** Directives of the format, in the order of the pattern's groups. */
    private final List<Character> groups = new ArrayList<>();

    /**
     * Moments of one column.
     *
     * @throws ModelException the format has a directive that is not known.
     */
    Moments(String format) {
        isIso = format.isEmpty() || format.equals("iso");
        perSecond = format.equals("epoch_s") ? 1 : format.equals("epoch_ms") ? 1000 : 0;
        pattern = isIso || perSecond > 0 ? null : patternOf(format);
    }

    /** In seconds since 1970; {@link #MISSING} when the cell is missing, null when it is no moment. */
    Long secondsOf(Object cell) {
        if (Cells.isMissing(cell)) return MISSING;
        if (perSecond > 0) {
            Double value = numbers.numberOf(cell);
            return value == null || Math.abs(value) > LONGEST ? null : (Long) (long) Math.floor(value / perSecond);
        }
        String text = White.stripped(Cells.plainText(cell));
        return isIso ? isoSeconds(text) : formatSeconds(White.asciiDigits(text));
    }

    private static Map<Character, String> directives() {
        Map<Character, String> found = new HashMap<>();
        found.put('d', "3[0-1]|[1-2][0-9]|0[1-9]|[1-9]| [1-9]");
        found.put('f', "[0-9]{1,6}");
        found.put('H', "2[0-3]|[0-1][0-9]|[0-9]");
        found.put('I', "1[0-2]|0[1-9]|[1-9]| [1-9]");
        found.put('m', "1[0-2]|0[1-9]|[1-9]");
        found.put('M', "[0-5][0-9]|[0-9]");
        found.put('S', "6[0-1]|[0-5][0-9]|[0-9]");
        found.put('y', "[0-9]{2}");
        found.put('Y', "[0-9]{4}");
        found.put('z', "[+-][0-9]{2}:?[0-5][0-9](?::?[0-5][0-9](?:\\.[0-9]{1,6})?)?|Z");
        found.put('A', named(DAYS, false));
        found.put('a', named(DAYS, true));
        found.put('B', named(MONTHS, false));
        found.put('b', named(MONTHS, true));
        found.put('p', "am|pm");
        found.put('Z', "utc|gmt");
        return found;
    }

    private static String named(String[] names, boolean isShort) {
        StringBuilder found = new StringBuilder();
        for (String name : names) found.append(found.length() == 0 ? "" : "|").append(isShort ? name.substring(0, 3) : name);
        return found.toString();
    }

    private Pattern patternOf(String format) {
        StringBuilder found = new StringBuilder();
        for (int at = 0; at < format.length(); at++) {
            char sign = format.charAt(at);
            if (White.is(sign)) {
                while (at + 1 < format.length() && White.is(format.charAt(at + 1))) at++;
                found.append('[').append(White.CLASS).append("]+");
            } else if (sign != '%') {
                found.append(Pattern.quote(String.valueOf(sign)));
            } else {
                char letter = at + 1 < format.length() ? format.charAt(++at) : 0;
                if (letter == '%') {
                    found.append('%');
                    continue;
                }
                String part = DIRECTIVES.get(letter);
                if (part == null || groups.contains(letter)) throw unknown(format);
                found.append('(').append(part).append(')');
                groups.add(letter);
            }
        }
        try {
            return Pattern.compile(found.toString(), Pattern.CASE_INSENSITIVE);
        } catch (PatternSyntaxException error) {
            throw unknown(format);
        }
    }

    private static ModelException unknown(String format) {
        return ModelException.artefact("moments written as " + format + " cannot be read");
    }

    private Long formatSeconds(String text) {
        Matcher found = pattern.matcher(text);
        if (!found.matches()) return null;
        int year = number(found, 'Y', 1900);
        if (groups.contains('y')) {
            int inCentury = number(found, 'y', 0);
            year = inCentury + (inCentury < 69 ? 2000 : 1900);
        }
        int month = number(found, 'm', 1);
        String name = group(found, groups.contains('B') ? 'B' : 'b');
        for (int place = 0; name != null && place < MONTHS.length; place++)
            if (MONTHS[place].startsWith(name.toLowerCase(Locale.ROOT))) month = place + 1;
        int hour = number(found, 'H', 0);
        if (groups.contains('I')) hour = number(found, 'I', 0) % 12 + ("pm".equalsIgnoreCase(group(found, 'p')) ? 12 : 0);
        Long time = timeSeconds(hour, number(found, 'M', 0), number(found, 'S', 0));
        Long days = dayNumber(year, month, number(found, 'd', 1));
        return time == null || days == null ? null : (Long) (days * DAY_S + time - zoneSeconds(group(found, 'z')));
    }

    private String group(Matcher found, char directive) {
        int place = groups.indexOf(directive);
        return place < 0 ? null : found.group(place + 1);
    }

    private int number(Matcher found, char directive, int otherwise) {
        String text = group(found, directive);
        return text == null ? otherwise : Integer.parseInt(text.trim());
    }

    private static Long isoSeconds(String text) {
        Matcher date = DATE.matcher(text);
        if (!date.find()) return null;
        int year = Integer.parseInt(date.group(1));
        String week = either(date, 6, 8);
        Long days =
                week == null
                        ? dayNumber(year, whole(either(date, 2, 4), 0), whole(either(date, 3, 5), 0))
                        : weekNumber(year, Integer.parseInt(week), whole(either(date, 7, 9), 1));
        if (days == null) return null;
        String rest = text.substring(date.end());
        if (rest.isEmpty()) return days * DAY_S;
        Matcher time = TIME.matcher(rest.substring(Character.charCount(rest.codePointAt(0)))); // any one character parts them
        if (!time.matches()) return null;
        Long seconds = timeSeconds(Integer.parseInt(time.group(1)), whole(either(time, 2, 4), 0), whole(either(time, 3, 5), 0));
        return seconds == null ? null : (Long) (days * DAY_S + seconds - zoneSeconds(time.group(6)));
    }

    private static String either(Matcher found, int one, int other) {
        return found.group(one) == null ? found.group(other) : found.group(one);
    }

    private static int whole(String text, int otherwise) {
        return text == null ? otherwise : Integer.parseInt(text);
    }

    private static Long timeSeconds(int hour, int minute, int second) {
        return hour > 23 || minute > 59 || second > 59 ? null : (Long) (hour * 3600L + minute * 60L + second);
    }

    private static long zoneSeconds(String text) {
        Matcher zone = ZONE.matcher(text == null ? "" : text);
        if (!zone.find()) return 0;
        long seconds = whole(zone.group(2), 0) * 3600L + whole(zone.group(3), 0) * 60L + whole(zone.group(4), 0);
        return zone.group(1).equals("-") ? -seconds : seconds;
    }

    /** Days since 1970; null where there is no such day. */
    private static Long dayNumber(int year, int month, int day) {
        if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return null;
        long before = year - 1L;
        long days = before * 365 + before / 4 - before / 100 + before / 400;
        for (int each = 1; each < month; each++) days += daysOf(year, each);
        return days + day - 1 - 719_162; // of 1970-01-01, since 0001-01-01
    }

    private static int daysOf(int year, int month) {
        if (month == 2) return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28;
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
    }

    /** The same by week and day of the week, Monday first. */
    private static Long weekNumber(int year, int week, int day) {
        Long january4 = dayNumber(year, 1, 4);
        Long next = dayNumber(year + 1, 1, 4);
        if (january4 == null || next == null || week < 1 || day < 1 || day > 7) return null;
        long first = monday(january4) + (week - 1) * 7L;
        return first < monday(next) ? (Long) (first + day - 1) : null;
    }

    private static long monday(long days) {
        return days - Math.floorMod(days + 3, 7L);
    }
}
