/** The part of Fengari, Lua 5.3 in JavaScript, that the tests use; its functions are those of Lua's C API. */
declare module "fengari" {
  /** A state of the interpreter. */
  type State = { readonly brand: unique symbol };
  type Bytes = Uint8Array;
  const lua: {
    readonly LUA_OK: number;
    readonly LUA_TNIL: number;
    readonly LUA_TNUMBER: number;
    readonly LUA_TSTRING: number;
    readonly LUA_TTABLE: number;
    readonly LUA_TBOOLEAN: number;
    lua_createtable(state: State, items: number, fields: number): void;
    lua_pushstring(state: State, text: Bytes): void;
    lua_pushinteger(state: State, value: number): void;
    lua_pushboolean(state: State, value: boolean): void;
    lua_pushjsfunction(state: State, work: (state: State) => number): void;
    lua_rawseti(state: State, index: number, n: number): void;
    lua_rawgeti(state: State, index: number, n: number): number;
    lua_setfield(state: State, index: number, name: Bytes): void;
    lua_setglobal(state: State, name: Bytes): void;
    lua_gettop(state: State): number;
    lua_type(state: State, index: number): number;
    lua_tonumber(state: State, index: number): number;
    lua_toboolean(state: State, index: number): boolean;
    lua_tojsstring(state: State, index: number): string;
    lua_pcall(state: State, args: number, results: number, handler: number): number;
    lua_pop(state: State, count: number): void;
    lua_error(state: State): number;
    lua_close(state: State): void;
  };
  const lauxlib: {
    luaL_newstate(): State;
    luaL_loadstring(state: State, script: Bytes): number;
  };
  const lualib: { luaL_openlibs(state: State): void };
  function to_luastring(text: string): Bytes;
}
