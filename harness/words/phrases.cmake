# What the program says in all languages, from a file per language, as a header. A phrase that a language lacks stops here; one
# that has other places does not compile (see language.hpp).

set(languages en pt es fr)  # in the order of the enumeration Language
foreach(language IN LISTS languages)
  set(file ${CMAKE_CURRENT_LIST_DIR}/phrases/${language}.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} phrases_${language})
endforeach()

# bench_phrases(VARIABLE GROUP FORMAT): appends C++ for each phrase of a group, its @name@, @number@, @english@ and @texts@ put into
# FORMAT. A group that English does not have is of sentences that are English themselves: they are the names of their translations.
function(bench_phrases variable group format)
  set(code "${${variable}}")
  string(JSON kind ERROR_VARIABLE none TYPE "${phrases_en}" ${group})
  if(kind STREQUAL "OBJECT")
    set(model en)
  else()
    set(model pt)
  endif()
  string(JSON count LENGTH "${phrases_${model}}" ${group})
  math(EXPR last "${count} - 1")
  foreach(language IN LISTS languages)
    string(JSON group_${language} ERROR_VARIABLE none GET "${phrases_${language}}" ${group})
    string(JSON others ERROR_VARIABLE none LENGTH "${group_${language}}")
    if(NOT others EQUAL count AND NOT (language STREQUAL "en" AND model STREQUAL "pt"))
      message(FATAL_ERROR "harness/words/phrases/${language}.json: ${group} has ${others} phrases, ${model}.json has ${count}")
    endif()
  endforeach()
  foreach(number RANGE ${last})
    string(JSON name MEMBER "${group_${model}}" ${number})
    set(texts "")
    foreach(language IN LISTS languages)
      set(text "${name}")
      if(NOT (language STREQUAL "en" AND model STREQUAL "pt"))
        string(JSON text ERROR_VARIABLE error GET "${group_${language}}" "${name}")
        if(error)
          message(FATAL_ERROR "harness/words/phrases/${language}.json: ${group}/${name} is missing")
        endif()
      endif()
      string(APPEND texts "R\"~(${text})~\", ")
      if(language STREQUAL "en")
        set(english "R\"~(${text})~\"")
      endif()
    endforeach()
    string(REGEX REPLACE ", $" "" texts "${texts}")
    string(CONFIGURE "${format}" line @ONLY)
    string(APPEND code "${line}\n")
  endforeach()
  set(${variable} "${code}" PARENT_SCOPE)
endfunction()

# bench_write_header(FILE INCLUDE NAMESPACE CODE): written only where it changes, so that nothing is compiled again for nothing.
function(bench_write_header file include namespace code)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/phrases/harness/${file} @ONLY
    CONTENT "// Made from harness/words/phrases/*.json.
#pragma once

#include \"harness/${include}\"

namespace bench::${namespace} {

@code@
}  // namespace bench::${namespace}
")
endfunction()

set(code "")
foreach(group IN ITEMS words facts tables compare doctor)
  bench_phrases(code ${group} "inline constexpr Phrase @name@{@texts@};")
endforeach()
bench_write_header(words/phrases.hpp words/language.hpp phrases "${code}")

# What is said where cases are measured: in English and with its key.
set(code "")
bench_phrases(code reasons "inline constexpr ReasonText @name@{\"@name@\", @english@};")
bench_write_header(base/reasons.hpp base/reason.hpp reasons "${code}")

# By name: reasons by their keys, and what result files hold word for word, the names of facts among it. Each is a constant of its
# own: compilers limit the steps that they take for one.
set(code "")
set(fixed facts ideas fixed)
bench_phrases(code reasons "inline constexpr Phrase reason_@number@{@texts@};")
foreach(group IN LISTS fixed)
  bench_phrases(code ${group} "inline constexpr Phrase @group@_@number@{@texts@};")
endforeach()
string(APPEND code "struct Named { std::string_view name; const Phrase* phrase; };\ninline constexpr Named reasons[] = {\n")
bench_phrases(code reasons "    {\"@name@\", &reason_@number@},")
string(APPEND code "};\ninline constexpr Named fixed[] = {\n")
foreach(group IN LISTS fixed)
  bench_phrases(code ${group} "    {@english@, &@group@_@number@},")
endforeach()
string(APPEND code "};\n")
bench_write_header(words/recorded_phrases.hpp words/language.hpp phrases "${code}")
