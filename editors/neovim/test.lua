-- Neovim as a client of `resy lsp`, without a screen:
--
--   RESY=… MODEL=… nvim --headless -u editors/neovim/test.lua
--
-- It opens a model with an unknown name, waits for the message, takes the quick fix, asks for the layout, the
-- definition and the lenses, checks the property, and leaves with the number of failures.

local resy, model = vim.env.RESY, vim.env.MODEL
local LIMIT = 120000
local passed, failed = 0, 0

local function check(name, ok, why)
  if ok then
    passed = passed + 1
    io.stdout:write("ok: Neovim: " .. name .. "\n")
  else
    failed = failed + 1
    io.stdout:write("failed: Neovim: " .. name .. " " .. vim.inspect(why) .. "\n")
  end
end

local function leave()
  io.stdout:write(passed .. " passed, " .. failed .. " failed\n")
  vim.cmd(failed == 0 and "qall!" or "cquit")
end

local function story()
  vim.cmd("silent edit " .. vim.fn.fnameescape(model))
  vim.bo.filetype = "promela"
  vim.bo.expandtab = true
  local buffer = vim.api.nvim_get_current_buf()
  local messages = {}
  local client = vim.lsp.start_client({
    name = "resy",
    cmd = { resy, "lsp" },
    root_dir = vim.fn.fnamemodify(model, ":h"),
    handlers = {
      ["window/showMessage"] = function(_, result) table.insert(messages, result.message) end,
    },
  })
  check("the server starts", client ~= nil)
  vim.lsp.buf_attach_client(buffer, client)

  local found = function() return vim.diagnostic.get(buffer)[1] end
  check("the unknown name is told", vim.wait(LIMIT, function() return found() ~= nil end, 50))
  local told = found() or { message = "" }
  check("the message has a suggestion", told.message:find("did you mean `count`", 1, true), told)

  local ask = function(method, params)
    local answers, why = vim.lsp.buf_request_sync(buffer, method, params, LIMIT)
    local answer = answers and answers[client]
    return answer and answer.result, answer and answer.error or why
  end
  local here = function(line, column)
    return { textDocument = vim.lsp.util.make_text_document_params(buffer), position = { line = line, character = column } }
  end

  local params = here(told.lnum or 0, told.col or 0)
  params.range = { start = params.position, ["end"] = { line = told.end_lnum, character = told.end_col } }
  params.context = { diagnostics = { told.user_data.lsp and { range = params.range, message = told.message, code = told.user_data.lsp.code } } }
  local actions, why = ask("textDocument/codeAction", params)
  check("there is a quick fix", actions and #actions > 0, why)
  vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
  check("the fix is in the text", vim.api.nvim_buf_get_lines(buffer, told.lnum, told.lnum + 1, false)[1]:find("count < 2", 1, true))
  check("no message is left", vim.wait(LIMIT, function() return found() == nil end, 50), vim.diagnostic.get(buffer))
  vim.cmd("silent write")

  local definition = ask("textDocument/definition", here(told.lnum, told.col + 1))
  local first = definition and (definition[1] or definition)
  check("the definition is found", first and first.range.start.line == 2, definition)
  local edits = ask("textDocument/formatting", { textDocument = here(0, 0).textDocument, options = { tabSize = 4, insertSpaces = true } })
  check("the layout is computed", edits ~= nil, edits)

  local lenses = ask("textDocument/codeLens", { textDocument = here(0, 0).textDocument }) or {}
  local lens
  for _, l in ipairs(lenses) do
    if l.command.command == "resy.check" and l.command.arguments[2] == "bounded" then lens = l end
  end
  check("the property has a lens", lens ~= nil, lenses)
  ask("workspace/executeCommand", { command = lens.command.command, arguments = lens.command.arguments })
  local violated = function() local d = found() return d and d.message:find("bounded", 1, true) end
  check("the violation is told where the run goes wrong", vim.wait(LIMIT, violated, 50), messages)
end

vim.api.nvim_create_autocmd("VimEnter", {
  callback = function()
    local ok, why = pcall(story)
    if not ok then check("the session", false, why) end
    leave()
  end,
})
