// What model.onnx takes as `tokens`: ./ids ../artefact/tokenizer.json reads texts from standard input, a NUL behind each but
// the last, and writes a line of ids for each. Built with tokenizers-cpp, which is Python's library for C++:
// https://github.com/mlc-ai/tokenizers-cpp (Apache-2.0). Its Tokenizer::Encode leaves out the special tokens, hence its C interface:
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

extern "C" {  // as in tokenizers_c.h
typedef struct { int* token_ids; size_t len; } TokenizerEncodeResult;
void* tokenizers_new_from_str(const char* json, size_t len);
void tokenizers_encode(void* handle, const char* data, size_t len, int add_special_token, TokenizerEncodeResult* result);
void tokenizers_free_encode_results(TokenizerEncodeResult* results, size_t num_seqs);
void tokenizers_free(void* handle);
}

int main(int, char** arguments) {
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string definition((std::istreambuf_iterator<char>(file)), {});
  void* tokenizer = tokenizers_new_from_str(definition.data(), definition.size());
  for (std::string text; std::getline(std::cin, text, '\0');) {
    TokenizerEncodeResult ids;  // cut off as the file says
    tokenizers_encode(tokenizer, text.data(), text.size(), 1, &ids);
    for (size_t i = 0; i < ids.len; i++) std::cout << (i ? " " : "") << ids.token_ids[i];
    std::cout << "\n";
    tokenizers_free_encode_results(&ids, 1);
  }
  tokenizers_free(tokenizer);
}
