-- Opens a program, waits for what the language server says of it, completes and renames; the answer is a line of JSON in SVC_ANSWER.
local answer = {}

local function wait(what, condition)
  if not vim.wait(60000, condition, 50) then error('waited in vain for ' .. what) end
end

local function messages()
  return vim.tbl_map(function(one) return one.code .. ' line ' .. (one.lnum + 1) end, vim.diagnostic.get(0))
end

local function ask(method, params)
  for _, one in pairs(vim.lsp.buf_request_sync(0, method, params, 60000) or {}) do
    if one.result then return one.result end
  end
  error(method .. ' gave nothing')
end

local function labels(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  local found = ask('textDocument/completion', vim.lsp.util.make_position_params())
  return vim.tbl_map(function(one) return one.label end, found.items or found)
end

local ok, problem = pcall(function()
  vim.opt.runtimepath:append(os.getenv('SVC_NEOVIM'))
  vim.cmd('runtime ftdetect/svc.lua')
  vim.cmd('filetype plugin on')
  require('svc').setup({ svc = vim.fn.json_decode(os.getenv('SVC_COMMAND')) })
  vim.cmd('edit ' .. vim.fn.fnameescape(os.getenv('SVC_PROGRAM')))
  answer.filetype = vim.bo.filetype
  answer.commentstring = vim.bo.commentstring
  wait('the server', function() return #vim.tbl_values(vim.lsp.buf_get_clients(0)) > 0 end)

  answer.keys = { vim.bo.omnifunc, vim.bo.tagfunc, vim.bo.formatexpr }

  -- A mistake while typing, then its removal.
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'def wrong() -> int { return nowhere; }' })
  wait('a diagnostic', function() return #vim.diagnostic.get(0) > 0 end)
  answer.wrong = messages()
  vim.api.nvim_buf_set_lines(0, -2, -1, false, {})
  wait('its end', function() return #vim.diagnostic.get(0) == 0 end)

  local last = vim.api.nvim_buf_line_count(0)
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'def look(task: Task) -> any { return task.; }' })
  answer.completion = labels(last + 1, #'def look(task: Task) -> any { return task.')
  vim.api.nvim_buf_set_lines(0, -2, -1, false, {})

  vim.api.nvim_win_set_cursor(0, { vim.fn.search('node Task'), #'node ' })
  vim.lsp.buf.rename('Job')
  wait('the new name', function() return vim.fn.search('node Job', 'nw') > 0 end)
  answer.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end)

if not ok then answer.problem = tostring(problem) end
vim.fn.writefile({ vim.fn.json_encode(answer) }, os.getenv('SVC_ANSWER'))
vim.cmd('qall!')
