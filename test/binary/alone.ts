import { readFileSync } from "node:fs";

/** Puts a server of names where there is none into this process's view of the machine, so that asking it is seen. */
const NO_NAMES = 'f=$(mktemp) && echo "nameserver 192.0.2.1" >$f && mount --bind $f /etc/resolv.conf && rm $f';

/** A network of its own with nothing but loopback in it: the command that goes before what is to run there. */
export const ALONE = ["unshare", "-rnm", "sh", "-ec", `ip link set lo up; ${NO_NAMES}; exec "$@"`, "sh"];

/** Whether this machine lets anybody have such a network. */
export const canBeAlone = Bun.which("unshare") !== null && Bun.spawnSync([...ALONE, "true"]).exitCode === 0;

/** How often, in the network of this process, somebody wanted to go where no way leads. */
export function unreached(): number {
  const [names = [], values = []] = readFileSync("/proc/net/snmp", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("Ip:"))
    .map((line) => line.split(" "));
  const [, six] = /^Ip6OutNoRoutes\s+(\d+)$/m.exec(readFileSync("/proc/net/snmp6", "utf8")) ?? [];
  return Number(values[names.indexOf("OutNoRoutes")]) + Number(six);
}
