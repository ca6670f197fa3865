[
  (block)
  (brackets)
  (parenthesized)
  (element)
  (comment)
] @fold
