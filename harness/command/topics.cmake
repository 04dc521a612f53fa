# The pages of docs/reference that `bench help TOPIC` prints, as text in the program.
set(topics "")
foreach(topic IN ITEMS sizes scopes exit-codes environment glossary faq why-slow)
  bench_text_of(${PROJECT_SOURCE_DIR}/docs/reference/${topic}.md)
  string(APPEND topics "      {\"${topic}\", ${text}},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/topics.cpp @ONLY CONTENT "// Made by harness/command/topics.cmake.
#include \"harness/command/topics.hpp\"

std::span<const bench::Topic> bench::pages() {
  static constexpr Topic all[] = {
@topics@  };
  return all;
}
")
