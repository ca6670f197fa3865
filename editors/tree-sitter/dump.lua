-- Leaves of the trees of programs as JSON lines: `nvim --headless -u NONE -c 'luafile dump.lua'`, with the built grammar in SVC_GRAMMAR, the
-- files, one a line, in SVC_PROGRAMS, and the answer's file in SVC_LEAVES.
local function load(path)
  if vim.treesitter.language.add then return vim.treesitter.language.add('svc', { path = path }) end
  vim.treesitter.require_language('svc', path)
end

local function leaves(node, parent, found)
  local count = 0
  for child in node:iter_children() do
    count = count + 1
    leaves(child, node, found)
  end
  if count > 0 then return end
  local _, _, first = node:start()
  local _, _, last = node:end_()
  found[#found + 1] = { first, last, node:named() and node:type() or (parent:type() .. ' ' .. node:type()) }
end

local ok, problem = pcall(function()
  load(os.getenv('SVC_GRAMMAR'))
  for _, scm in ipairs(vim.fn.glob(vim.fn.expand('$SVC_QUERIES') .. '/{highlights,folds,locals,injections}.scm', true, true)) do
    local parse = vim.treesitter.query and vim.treesitter.query.parse or vim.treesitter.parse_query
    parse('svc', table.concat(vim.fn.readfile(scm), '\n'))
  end
  local out = {}
  for _, path in ipairs(vim.fn.readfile(os.getenv('SVC_PROGRAMS'))) do
    local file = assert(io.open(path, 'rb'))
    local text = file:read('*a')
    file:close()
    local root = vim.treesitter.get_string_parser(text, 'svc'):parse()[1]:root()
    local found = {}
    leaves(root, root, found)
    out[#out + 1] = vim.fn.json_encode({ broken = root:has_error(), leaves = found })
  end
  vim.fn.writefile(out, os.getenv('SVC_LEAVES'))
end)
if not ok then io.stderr:write(tostring(problem) .. '\n') end
vim.cmd(ok and 'qall!' or 'cquit!')
