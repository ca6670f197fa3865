(comment) @comment
(markup_comment) @comment
(slot_comment) @comment

(control) @keyword
(declaration) @keyword
(class_word) @keyword
(function_word) @keyword.function
(test_word) @keyword
(modifier) @keyword
(operator_word) @keyword.operator
(special) @variable.builtin
(constant) @constant.builtin
(builtin_type) @type.builtin

(operator) @operator
(delimiter) @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

(number) @number
(string) @string
(string_start) @string
(string_text) @string
(string_end) @string
(escape) @string.escape
(specification) @string.special
(conversion) @string.special
(field "{" @punctuation.special "}" @punctuation.special)
(foreign) @string

(identifier) @variable
((identifier) @type
  (#match? @type "^[A-Z]"))
((identifier) @function
  .
  (parenthesized))
; Words that mean something in one place only.
((identifier) @keyword
  .
  [(identifier) (escaped) (class_definition) (function_definition) (control) (declaration) (modifier) (builtin_type) (block) (brackets)]
  (#match? @keyword "^(global|nonlocal|let|to|cl|sv|na|own|imm|mut|forever|awaiting|getter|setter|deleter|check)$"))
(property) @property
((property) @function
  .
  (parenthesized))
(class_definition name: (_) @type)
(function_definition name: (_) @function)
(test_definition name: (_) @string)

(tag_name) @tag
(attribute_name) @attribute
(element ["<" ">" "/>" "</" "<>"] @punctuation.bracket)
(markup_text) @text
