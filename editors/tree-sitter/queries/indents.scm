(block "}" @end) @indent
(brackets "]" @end) @indent
(parenthesized ")" @end) @indent
