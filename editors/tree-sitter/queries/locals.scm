(program) @local.scope
(block) @local.scope
(function_definition name: (identifier) @local.definition)
(class_definition name: (identifier) @local.definition)
(identifier) @local.reference
