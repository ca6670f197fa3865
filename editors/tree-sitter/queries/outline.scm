(class_definition (class_word) @context name: (_) @name) @item
(function_definition (function_word) @context name: (_) @name) @item
(test_definition (test_word) @context name: (_) @name) @item
