# cmake -DOUTPUT=FILE.inc -DFILES=A;B -P EmbedFiles.cmake
#
# Writes C++ that defines kFiles, the contents of the files in order.

set(arrays "")
set(table "")
set(index 0)
foreach(path ${FILES})
  get_filename_component(name ${path} NAME)
  file(READ ${path} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays
    "static const unsigned char kFile${index}[] = {${bytes}};\n")
  string(APPEND table "    {\"${name}\", kFile${index}, ${size}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT}
  "struct EmbeddedFile {\n  const char *name;\n"
  "  const unsigned char *data;\n  unsigned long size;\n};\n"
  "${arrays}static const EmbeddedFile kFiles[] = {\n${table}};\n")
