import type { Operation } from "./operation.ts";

/** An address that the server answers, as a pattern over paths. */
export interface Route {
  readonly path: string;
  readonly method: Operation["method"];
  readonly params: Operation["params"];
  readonly pattern: RegExp;
}

/** The routes of operations under all their addresses, and of `pages`, which answer GET alone. */
export const routesOf = (operations: readonly Operation[], pages: readonly string[]): Route[] => [
  ...operations.flatMap(({ path, aliases = [], method, params }) =>
    [path, ...aliases].map((one) => routeOf(one, method, params)),
  ),
  ...pages.map((path) => routeOf(path, "GET", undefined)),
];

const routeOf = (path: string, method: Route["method"], params: Route["params"]): Route => ({
  path,
  method,
  params,
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}/?$`),
});

/** Whether a fixed word of an address can be what a route has a parameter for: `stats` is no memory id. */
const takes = ({ pattern, params }: Route, pathname: string): boolean =>
  params === undefined || params.safeParse({ ...pattern.exec(pathname)?.groups }).success;

const isFixed = ({ path }: Route): boolean => !path.includes("{");

/** The methods of an address; where it is a fixed path, only of those routes that take its words. */
export function methodsAt(routes: readonly Route[], pathname: string): Route["method"][] {
  const fitting = routes.filter(({ pattern }) => pattern.test(pathname));
  const own = fitting.some(isFixed) ? fitting.filter((route) => takes(route, pathname)) : fitting;
  return [...new Set(own.map(({ method }) => method))];
}

/** The methods that an address is told to allow: at a fixed path those of its own, though its word may also be an id. */
export function allowedAt(routes: readonly Route[], pathname: string): Route["method"][] {
  const fixed = routes.filter((route) => isFixed(route) && route.pattern.test(pathname));
  return fixed.length === 0 ? methodsAt(routes, pathname) : [...new Set(fixed.map(({ method }) => method))];
}

/** Methods that a fixed path does not have, but that the router would hand to a route which reads its word as an id. */
export function shadowedRoutes(routes: readonly Route[]): Pick<Route, "path" | "method">[] {
  const open = routes.filter((route) => !isFixed(route));
  return routes.filter(isFixed).flatMap(({ path }) => {
    const others = open.filter(({ pattern }) => pattern.test(path));
    if (others.length === 0) return [];
    const own = methodsAt(routes, path);
    return others.flatMap(({ method }) => (own.includes(method) ? [] : [{ path, method }]));
  });
}
