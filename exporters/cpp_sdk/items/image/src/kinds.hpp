// The kinds of answers, each with a file of answers/ that has its name. Written when the library was packed.
#pragma once

#define MODELYARD_KINDS(each) {{kinds}}
