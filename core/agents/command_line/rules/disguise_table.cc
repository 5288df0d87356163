#include <array>

#include "core/agents/command_line/rules/disguises.h"

namespace plumbline::agents::command_line {

namespace {

constexpr std::string_view kNamed = "starts programs that its words name";
constexpr std::string_view kToShell = "gives its words to a shell";
constexpr std::string_view kMayToShell = "may give its words to a shell";
constexpr std::string_view kOfWords = "runs the code that its words hold or name";
constexpr std::string_view kOfFolder = "runs what the files of the folder say";
constexpr std::string_view kOfSettings = "reads settings that start programs";
constexpr std::string_view kLibrary = "loads code that its words name";
constexpr std::string_view kElsewhere = "runs commands elsewhere, or a program to get there";
constexpr std::string_view kContainer = "runs anything in a container, with whatever it is given";
constexpr std::string_view kInstalls = "runs what packages bring";
constexpr std::string_view kWrites = "writes any file";

// A script of sed without commands that start, read or write anything: s/a/b/g, 1,5p, /re/d, $=.
constexpr std::string_view kPlainSed =
    R"(--sandbox\x1f.*|(-[nErsuzi]+\x1f)*(-e\x1f)?)"
    R"((s/([^/\\\n\x1f]|\\[^\n\x1f])*/([^/\\\n\x1f]|\\[^\n\x1f])*/[gpiI0-9]*)"
    R"(|([0-9]+|\$|/([^/\\\n\x1f]|\\[^\n\x1f])*/)?(,([0-9]+|\$))?[pdq=]))"
    R"((\x1f[^-\x1f][^\x1f]*)*)";

constexpr DisguiseRow kTable[] = {
    // Programs whose words are a program and its words.
    {"env nice ionice nohup timeout time setsid stdbuf unbuffer xargs parallel watch flock chroot "
     "unshare nsenter setpriv setarch linux32 linux64 i386 x86_64 taskset chrt numactl prlimit "
     "softlimit strace ltrace gdb lldb rr perf valgrind script scriptreplay expect sudo sudoedit "
     "su "
     "doas pkexec runuser run0 start-stop-daemon systemd-run systemd-inhibit at batch crontab "
     "dbus-run-session dbus-launch xvfb-run fakeroot fakechroot faketime catchsegv entr socat nc "
     "ncat netcat proot bwrap firejail watchexec inotifywait-run direnv nix-shell guix capsh "
     "torsocks "
     "torify proxychains* tini dumb-init su-exec gosu runcon newgrp sg logsave hyperfine run-parts "
     "ld-linux* ld.so ld-musl* cpulimit trickle daemonize daemon screen tmux tmate byobu dtach "
     "abduco xterm x-terminal-emulator gnome-terminal konsole alacritty kitty xdg-open open "
     "sensible-* setlock envdir envuidgid chpst chronic ts-run cgexec dpkg-reconfigure ssh-agent "
     "watchman nodemon forever pm2 concurrently retry parallel-* multitail",
     "*", Starts::kPrograms, kNamed},
    {"find gfind", "~-exec ~-execdir ~-ok ~-okdir", Starts::kPrograms, kNamed},
    {"find gfind", "~-fprint ~-fprint0 ~-fprintf ~-fls", Starts::kCode, kWrites},
    {"fd fdfind", "-x -X --exec --exec-batch", Starts::kPrograms, kNamed},
    {"rg", "--pre --hostname-bin", Starts::kPrograms, kNamed},
    {"ag ack", "--pager --ackrc", Starts::kPrograms, kNamed},
    {"bat batcat delta", "--pager --diff-so-fancy", Starts::kPrograms, kNamed},
    {"fzf sk", "*", Starts::kCode, kMayToShell},
    // Archives and copies.
    {"tar gtar", "--to-command --checkpoint-action --info-script --new-volume-script -F",
     Starts::kShell, kToShell, "", "bCfgHKLNTVX"},
    {"tar gtar bsdtar", "--use-compress-program -I --rsh-command --rmt-command +I +F ~*:*",
     Starts::kPrograms, kNamed, "", "bCfgHKLNTVX"},
    {"zip", "~-*TT* --unzip-command", Starts::kShell, kToShell},
    {"cpio", "--rsh-command ~*:*", Starts::kPrograms, kNamed},
    {"rsync", "-e --rsh --rsync-path --daemon --config ~*:*", Starts::kPrograms, kNamed, "",
     "fBMT"},
    {"split csplit", "--filter", Starts::kShell, kToShell},
    {"sort", "--compress-program", Starts::kPrograms, kNamed},
    {"install", "--strip-program", Starts::kPrograms, kNamed},
    {"logrotate", "*", Starts::kCode, kOfSettings},
    // Languages of text.
    {"awk gawk mawk nawk original-awk", "~*system* ~*getline* ~*|* ~*@* ~*/inet* ~*print*>* -W",
     Starts::kCode, kMayToShell},
    {"awk gawk mawk nawk original-awk", "-f -E -i -l -D --file --exec --include --load --debug",
     Starts::kCode, kOfWords, "", "Fv"},
    {"sed gsed", "*", Starts::kCode, "may start programs or write any file", kPlainSed},
    {"ed red ex vi view vim* rvim nvim emacs* nano pico joe jed mg micro hx kak ne mcedit vimdiff "
     "gvim",
     "*", Starts::kPrograms, "is an editor, which starts a shell when it is told"},
    {"less more most pg w3m lynx", "~+* ~*lesskey* -k", Starts::kCode, kMayToShell},
    {"man", "-P --pager -H --html -C --config-file -X -T", Starts::kPrograms, kNamed, "",
     "LMRSserm"},
    {"mail mailx s-nail mutt neomutt sendmail exim exim4", "*", Starts::kCode, kOfWords},
    {"info dc m4 gnuplot octave maxima sage", "*", Starts::kCode, kOfWords},
    {"tex latex pdftex pdflatex xetex xelatex luatex lualatex latexmk context", "*", Starts::kCode,
     "runs what its files give to a shell"},
    {"gs ghostscript ps2pdf* pstopdf", "*", Starts::kCode, kOfWords},
    {"convert magick mogrify identify montage composite", "~|* ~*msl:* ~*ephemeral:*",
     Starts::kCode, kMayToShell},
    {"pandoc", "--filter --lua-filter -F -L --pdf-engine -d --defaults", Starts::kPrograms, kNamed},
    // Databases.
    {"sqlite3 sqlite", "~.* ~*\n.* ~-*cmd ~-*init ~*|* ~*load_extension* ~*writefile* ~*edit(*",
     Starts::kCode, "gives dot commands to a shell, loads code or writes any file"},
    {"psql", "~*\\* ~*|* -f --file -o --output -L --log-file", Starts::kCode, kMayToShell, "",
     "cdvhpUFRPT"},
    {"mysql mariadb", "~*\\!* ~*system* ~*source* ~*\\.* --pager --tee ~*outfile*", Starts::kCode,
     kMayToShell},
    {"mongo mongosh redis-cli", "~*eval* ~*.js", Starts::kCode, kOfWords},
    // Languages.
    {"python* pypy* ipython* perl* ruby irb node nodejs deno bun php* lua luajit tclsh wish "
     "Rscript "
     "R julia ghci runghc runhaskell stack guile racket sbcl clisp scheme* scala groovy java "
     "jshell "
     "kotlin swift osascript pwsh powershell cmd elixir iex erl escript ocaml dart ts-node tsx gjs "
     "qjs txiki d8 awk-run jython jruby clojure clj lein bb coffee csi fsi raku",
     "*", Starts::kCode, kOfWords},
    {"gcc g++ cc c++ clang clang++ *-gcc *-g++ tcc ld ld.* gold lld as",
     "~-wrapper* ~-fplugin* ~-B* ~-specs* ~--specs* ~@* ~-Xclang ~-load ~*-plugin*",
     Starts::kPrograms, kLibrary},
    {"nm ar ranlib", "--plugin", Starts::kCode, kLibrary},
    {"openssl", "~-engine ~-provider ~engine ~-config ~-provider-path", Starts::kCode, kLibrary},
    {"gpg gpg2 gpgsm", "--exec-path --photo-viewer --agent-program --dirmngr-program --options",
     Starts::kPrograms, kNamed},
    {"ctags etags universal-ctags", "--options --xcmd* ~--*def*", Starts::kCode, kOfSettings},
    // What builds, tests and installs.
    {"make gmake bmake cmake ctest ninja samu meson scons bazel bazelisk buck buck2 ant mvn "
     "gradle sbt rake just task tox nox pytest py.test nosetests phpunit jest mocha vitest "
     "karma cypress playwright eslint prettier webpack vite rollup esbuild next gulp grunt lerna "
     "nx "
     "turbo tsc pre-commit ansible* vagrant packer puppet chef* salt* pulumi mypy pylint flake8 "
     "sphinx-build mkdocs jekyll hugo dotnet msbuild xcodebuild mix rebar3 dub zig nim nimble "
     "crystal stack-run cabal protoc bats shellspec behave robot locust k6 act earthly dagger tilt "
     "skaffold bundle rails rspec thor foreman hatch invoke fab waf autoreconf autoconf automake "
     "configure libtool debuild dpkg-buildpackage rpmbuild makepkg snapcraft flatpak-builder",
     "*", Starts::kCode, kOfFolder},
    {"npm npx pnpm pnpx", "-c --call --shell-mode", Starts::kShell, kToShell},
    {"npm", "--git --script-shell --userconfig --globalconfig --prefix --shell --viewer",
     Starts::kCode, kOfSettings},
    {"npm", "*", Starts::kCode, kOfFolder,
     R"((ls|list|search|ping|whoami|root)(\x1f.*)?)"
     R"(|(view|info|show)(\x1f(--json|[^-:\x1f][^:\x1f]*))*)"},
    {"npx pnpx bunx uvx pipx uv poetry pipenv pdm rye", "*", Starts::kCode, kOfFolder},
    // A file of the folder says which program of the name it is, even to tell its version.
    {"yarn yarnpkg pnpm corepack cargo rustc rustup rustfmt rustdoc clippy-driver mvnw gradlew",
     "**", Starts::kCode, kOfFolder},
    {"pip*", "*", Starts::kCode, kInstalls,
     R"((list|show|freeze|check)(\x1f(--outdated|--format=[a-z]+|[^-\x1f][^\x1f]*))*)"},
    {"go", "*", Starts::kCode, kOfFolder, R"((version|help)(\x1f.*)?)"},
    {"gem composer conda mamba micromamba easy_install opam luarocks cpan cpanm nuget dpkg "
     "dpkg-deb "
     "rpm yum dnf zypper pacman apk snap flatpak brew port nix nix-env nix-build",
     "*", Starts::kCode, kInstalls,
     R"((list|search|info|show|-l|-L|-s|-S|-q|-qa|-Q)(\x1f[^-\x1f][^\x1f]*)*)"},
    {"apt apt-get apt-cache aptitude", "*", Starts::kCode, kInstalls,
     R"((list|search|show|policy|depends)(\x1f(--installed|--upgradable|[^-\x1f][^\x1f]*))*)"},
    // Containers and other machines.
    {"docker podman nerdctl", "--config -H --host -c --context", Starts::kCode, kElsewhere, "",
     "vepuwlafnt"},
    {"docker podman nerdctl", "*", Starts::kCode, kContainer,
     R"((ps|images|version|info|logs|inspect|top|stats|port|history|search|diff|events)(\x1f.*)?)"},
    {"docker-compose crictl ctr lxc lxc-* incus buildah runc crun machinectl virsh qemu-* kind "
     "minikube k3s",
     "*", Starts::kCode, kContainer},
    {"kubectl oc", "--kubeconfig", Starts::kPrograms, kOfSettings},
    {"kubectl oc", "*", Starts::kCode, kContainer,
     R"((get|describe|version|logs|top|explain|api-resources|api-versions|cluster-info)(\x1f.*)?)"},
    {"helm", "*", Starts::kCode, kContainer,
     R"((list|ls|status|history|version|search|show)(\x1f.*)?)"},
    {"terraform tofu terragrunt", "*", Starts::kCode, kInstalls, R"((version|fmt)(\x1f.*)?)"},
    {"ssh slogin scp sftp sshpass autossh mosh sshfs rsh rlogin rexec telnet ftp lftp pssh "
     "pdsh clush ssh-copy-id",
     "*", Starts::kCode, kElsewhere},
    {"ssh-keygen ssh-add", "~-D* ~-w* ~-s* ~-S*", Starts::kCode, kLibrary},
    {"systemctl", "-H --host -M --machine ~edit ~link ~enable ~set-environment", Starts::kPrograms,
     kElsewhere, "", "pt"},
    {"ip", "~netns ~vrf ~-b* ~-*batch", Starts::kPrograms, kNamed},
    {"tcpdump", "-z", Starts::kPrograms, kNamed, "", "BcCDEFGijmMrsTVwWyZ"},
    {"nmap", "--script* --interactive ~-sC ~-A", Starts::kCode, kOfWords},
    {"tshark", "-X", Starts::kCode, kOfWords, "", "abcCdDefFhiHjJKNoOrRsSTtuwWyYz"},
    {"iptables ip6tables", "--modprobe", Starts::kPrograms, kNamed},
    // What fetches: options out of a file, and files that are written anywhere.
    {"curl", "-K --config --engine", Starts::kCode, kOfSettings, "", "AbcCdDeEFhHmoPQrtTuUwxXyYz"},
    {"curl", "--unix-socket --abstract-unix-socket ~*%output*", Starts::kCode, kElsewhere},
    {"curl",
     "-o -O -D -c --output --remote-name --remote-name-all --output-dir --dump-header --cookie-jar "
     "--trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc",
     Starts::kCode, kWrites, "", "AbCdeEFhHKmPQrtTuUwxXyYz"},
    {"wget wget2", "--use-askpass -e --execute --config", Starts::kPrograms, kOfSettings, "",
     "aABDiIlloOPQRtTUwX"},
    {"wget wget2",
     "-O -P -o -a -i --output-document --directory-prefix --output-file --append-output "
     "--input-file "
     "--save-cookies --hsts-file ~--warc*",
     Starts::kCode, kWrites, "", "ABDIlQRtTUwX"},
    {"aria2c axel yt-dlp youtube-dl httpie http", "--on-* --exec --config* -o --output --external*",
     Starts::kCode, kMayToShell},
    // Other keepers of versions, whose settings lie in the folder.
    {"hg fossil darcs jj bzr brz tig gitk git-gui git-* gh-*", "*", Starts::kCode, kOfSettings},
    {"gh glab", "-w --web", Starts::kPrograms, kOfSettings},
    {"gh glab", "*", Starts::kCode, kOfSettings,
     R"((issue|pr|repo|run|release|workflow)\x1f(list|view|status|diff|checks)(\x1f.*)?)"},
    {"svn svnadmin", "--config-option --config-dir --diff-cmd --diff3-cmd --editor-cmd ~svn+*",
     Starts::kPrograms, kNamed},
    {"cvs", "*", Starts::kPrograms, kElsewhere},
};

}  // namespace

std::span<const DisguiseRow> disguise_table() { return kTable; }

}  // namespace plumbline::agents::command_line
