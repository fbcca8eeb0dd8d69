import type { State } from "fengari";
import { lauxlib, lua, lualib, to_luastring } from "fengari";

/** What a command answers, and what a script returns: integers, texts, nothing, lists. */
export type Answer = number | string | null | readonly Answer[];

/**
 * Runs a script as EVAL of Redis does (redis.io/docs, "Redis Lua API", "Data type conversion"): KEYS and ARGV are lists of strings,
 * `redis.call` takes strings and numbers, a nil of Redis is `false` in Lua and back, a number that a script returns loses its fraction, a
 * list ends at its first nil.
 */
export function evalScript(
  script: string,
  {
    keys,
    args,
    call,
  }: { readonly keys: readonly string[]; readonly args: readonly string[]; call(words: readonly string[]): Answer },
): Answer {
  const state = lauxlib.luaL_newstate();
  lualib.luaL_openlibs(state);
  try {
    setList(state, "KEYS", keys);
    setList(state, "ARGV", args);
    lua.lua_createtable(state, 0, 1);
    lua.lua_pushjsfunction(state, (inner) => {
      const words = Array.from({ length: lua.lua_gettop(inner) }, (_, i) => wordAt(inner, i + 1));
      try {
        push(inner, call(words));
        return 1;
      } catch (error) {
        // A refusal of Redis is an error that the script may catch; Lua throws it on.
        push(inner, error instanceof Error ? error.message : String(error));
        return lua.lua_error(inner);
      }
    });
    lua.lua_setfield(state, -2, to_luastring("call"));
    lua.lua_setglobal(state, to_luastring("redis"));
    const loaded = lauxlib.luaL_loadstring(state, to_luastring(script));
    if (loaded !== lua.LUA_OK || lua.lua_pcall(state, 0, 1, 0) !== lua.LUA_OK) {
      const message = lua.lua_tojsstring(state, -1);
      throw new Error(message.startsWith("ERR ") ? message : `ERR ${message}`);
    }
    return read(state, -1);
  } finally {
    lua.lua_close(state);
  }
}

function setList(state: State, name: string, texts: readonly string[]): void {
  push(state, texts);
  lua.lua_setglobal(state, to_luastring(name));
}

/** An argument of a command: a number is written as short as it can be, 2 for 2.0. */
function wordAt(state: State, index: number): string {
  return lua.lua_type(state, index) === lua.LUA_TNUMBER
    ? String(lua.lua_tonumber(state, index))
    : lua.lua_tojsstring(state, index);
}

/** An answer of Redis as Lua has it. */
function push(state: State, answer: Answer): void {
  if (answer === null) lua.lua_pushboolean(state, false);
  else if (typeof answer === "number") lua.lua_pushinteger(state, answer);
  else if (typeof answer === "string") lua.lua_pushstring(state, to_luastring(answer));
  else {
    lua.lua_createtable(state, answer.length, 0);
    for (const [i, one] of answer.entries()) {
      push(state, one);
      lua.lua_rawseti(state, -2, i + 1);
    }
  }
}

/** What Redis makes of a value that a script returns. */
function read(state: State, index: number): Answer {
  switch (lua.lua_type(state, index)) {
    case lua.LUA_TNUMBER:
      return Math.trunc(lua.lua_tonumber(state, index));
    case lua.LUA_TSTRING:
      return lua.lua_tojsstring(state, index);
    case lua.LUA_TBOOLEAN:
      return lua.lua_toboolean(state, index) ? 1 : null;
    case lua.LUA_TTABLE:
      return readList(state);
    default:
      return null;
  }
}

/** The list on top of the stack, up to its first nil. */
function readList(state: State): Answer[] {
  const items: Answer[] = [];
  for (let n = 1; ; n++) {
    const isLast = lua.lua_rawgeti(state, -1, n) === lua.LUA_TNIL;
    if (!isLast) items.push(read(state, -1));
    lua.lua_pop(state, 1);
    if (isLast) return items;
  }
}
