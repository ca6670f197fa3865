((comment) @injection.content
  (#set! injection.language "comment"))
((foreign) @injection.content
  (#set! injection.language "python"))
