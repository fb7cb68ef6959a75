// What is found by its name, each with a file that has it: kinds of items in items/, of answers in answers/, and
// pipelines in pipelines/. Written when the library was packed.
#pragma once

#define MODELYARD_ITEMS(each) {{items}}
#define MODELYARD_KINDS(each) {{kinds}}
#define MODELYARD_PIPELINES(each) {{pipelines}}
