vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  pattern = '*.svc',
  callback = function() vim.bo.filetype = 'svc' end,
})
