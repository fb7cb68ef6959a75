// ids TOKENIZER reads texts from standard input, a NUL behind each, and writes a line of ids for each, by the library's own tokenizer.
#include "fault.hpp"
#include "tokenizer.hpp"
#include "utf8.hpp"

#include <fstream>
#include <iostream>
#include <iterator>

int main(int, char** arguments) try {
    std::ifstream file(arguments[1], std::ios::binary);
    const std::string definition{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const modelyard::Tokenizer tokenizer(modelyard::Json::read(definition));
    for (std::string text; std::getline(std::cin, text, '\0');) {
        for (const std::int64_t id : tokenizer.ids(modelyard::utf8_read(text))) std::cout << id << " ";
        std::cout << "\n";
    }
} catch (const modelyard::Fault& fault) {
    std::cerr << fault.what() << "\n";
    return 1;
}
