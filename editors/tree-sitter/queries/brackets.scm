(block "{" @open "}" @close)
(brackets "[" @open "]" @close)
(parenthesized "(" @open ")" @close)
