vim.bo.commentstring = '# %s'
vim.bo.comments = ':#'
vim.bo.expandtab = true
vim.bo.shiftwidth = 4
vim.bo.softtabstop = 4

-- Where the grammar was built (README.md) it colours; without it nothing does.
if vim.treesitter.start then pcall(vim.treesitter.start) end
