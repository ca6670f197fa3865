-- The language server and the debugger of svc for Neovim 0.7 and newer.
local M = {}

local markers = { 'svc.toml', 'package.json', '.git' }

-- The folder of the project a file belongs to: the nearest one with a marker, else its own.
local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  for _, marker in ipairs(markers) do
    local found = vim.fn.findfile(marker, folder .. ';')
    if found == '' then found = vim.fn.finddir(marker, folder .. ';') end
    if found ~= '' then return vim.fn.fnamemodify(found, ':p:h'):gsub('/%.git$', '') end
  end
  return folder
end

-- Options by which keys of Neovim's own reach the server; from 0.8 on it sets them itself.
local function options_of(buffer)
  for option, call in pairs({ omnifunc = 'omnifunc', tagfunc = 'tagfunc', formatexpr = 'formatexpr()' }) do
    if vim.bo[buffer][option] == '' then vim.bo[buffer][option] = 'v:lua.vim.lsp.' .. call end
  end
end

-- Before 0.11: one client per project, kept by its folder.
local function attach_by_hand(command)
  local clients = {}
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'svc',
    callback = function(event)
      local root = root_of(vim.api.nvim_buf_get_name(event.buf))
      clients[root] = clients[root]
        or vim.lsp.start_client({
          name = 'svc',
          cmd = command,
          root_dir = root,
          on_exit = function() clients[root] = nil end,
        })
      if clients[root] then
        vim.lsp.buf_attach_client(event.buf, clients[root])
        options_of(event.buf)
      end
    end,
  })
end

local function configure_dap(svc)
  local found, dap = pcall(require, 'dap')
  if not found then return end
  local args = vim.list_slice(svc, 2)
  vim.list_extend(args, { 'debug', '--dap' })
  dap.adapters.svc = { type = 'executable', command = svc[1], args = args }
  dap.configurations.svc = {
    { type = 'svc', request = 'launch', name = 'Debug program', program = '${file}' },
    {
      type = 'svc',
      request = 'launch',
      name = 'Debug tests whose name contains …',
      program = '${file}',
      test = function() return vim.fn.input('Name: ') end,
    },
    { type = 'svc', request = 'attach', name = 'Attach to svc start --inspect', port = 9229 },
  }
end

-- `svc`: the program and what stands before its arguments, { 'svc' } by default.
function M.setup(options)
  local svc = (options or {}).svc or { 'svc' }
  local command = vim.list_extend(vim.list_slice(svc), { 'lsp' })
  if vim.lsp.config then
    vim.lsp.config('svc', { cmd = command, filetypes = { 'svc' }, root_markers = markers })
    vim.lsp.enable('svc')
  else
    attach_by_hand(command)
  end
  configure_dap(svc)
end

return M
