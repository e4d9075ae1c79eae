# Completion of scorer-host for bash. Commands, options and limits are asked of the program itself, so that they are
# those of the program that is called; nothing of a task or a run is opened.
# shellcheck shell=bash

# The options of a command's help on stdin, one a line, those with a value followed by its word: "--home DIR".
_scorer_host_options() {
	sed -nE 's/[][]/ /g; s/^ +(--[a-z-]+)( [A-Z][A-Za-z/=.]*| [a-z|]+\|[a-z|]+)? .*/\1\2/p; s/^ +(--[a-z-]+)$/\1/p'
}

_scorer_host() {
	local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-} program=${COMP_WORDS[0]}
	local previous=${COMP_WORDS[COMP_CWORD - 1]} i home=${PROCTOR_HOME:-/var/lib/proctor} help value words
	COMPREPLY=()
	type "$program" >/dev/null 2>&1 || return 0
	if [ "$COMP_CWORD" -eq 1 ]; then
		words=$("$program" --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p')
		mapfile -t COMPREPLY < <(compgen -W "$words --help --version" -- "$cur")
		return 0
	fi
	for ((i = 2; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--) return 0 ;; # the candidate's own words, which mean something in its container only
		--home) home=${COMP_WORDS[i + 1]} ;;
		esac
	done
	help=$("$program" "$command" --help 2>/dev/null) || return 0
	value=$(_scorer_host_options <<<"$help" | awk -v option="$previous" '$1 == option { print $2; exit }')
	# bash cuts words at "=": the name is then two words back, and its value is the operator's to know.
	if [ "$previous" = = ] || [ "$cur" = = ]; then
		return 0
	fi
	case $previous:$value in
	--as:*) words="operator participant public" ;;
	--verdict:*)
		words="SCORED EXEC_NOT_FOUND EXEC_DENIED EXIT_NONZERO SIGNALED WALL_TIME CPU_TIME MEMORY PROCESSES
			OUTPUT_BYTES OUTPUT_FILES SCRATCH_BYTES LOG_BYTES FORBIDDEN_SYSCALL OUTPUT_MISSING OUTPUT_NOT_REGULAR
			OUTPUT_UNSAFE TABLE_FORMAT TABLE_COLUMNS TABLE_DUPLICATE TABLE_MISSING TABLE_UNKNOWN TABLE_VALUE
			TABLE_TOO_LARGE CASE_INVALID METRIC_UNDEFINED IMAGE_INVALID IMAGE_PLATFORM IMAGE_REFUSED
			ENGINE_FAILED IMAGE_DIGEST INFRA_DISK INFRA_SCORER_LOST RECORD_MISSING RECORD_INVALID
			RECORD_MISMATCH REQUIRE_UNMET INIT_FAULT CANCELLED TASK_INVALID ASSET_MISMATCH TRUTH_EXPOSED
			SELFCHECK_FAILED SCORER_FAULT METHOD_WITHDRAWN"
		;;
	--limit:*)
		words=$(sed -n '/^limits:/,/^$/p' <<<"$help" | sed 's/^limits://' | tr -s ' ' '\n' | sed '/^$/d; s/$/=/')
		compopt -o nospace 2>/dev/null
		;;
	--engine:*) words=$(sed -nE 's/^ +--engine NAME +//p' <<<"$help" | sed 's/([^)]*)//g' | tr -c 'a-z0-9\n-' ' ') ;;
	*:DIR)
		mapfile -t COMPREPLY < <(compgen -d -- "$cur")
		compopt -o filenames 2>/dev/null
		return 0
		;;
	*:FILE | *:PATH)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		compopt -o filenames 2>/dev/null
		return 0
		;;
	--*:?*) return 0 ;;
	*)
		if [ "${cur:0:1}" = - ]; then
			words="$(grep -oE -- '--[a-z-]+' <<<"$help" | sort -u) --help"
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			compopt -o filenames 2>/dev/null
			case $command in
			show | score) words=$(cd "$home/runs" 2>/dev/null && ls -1) ;;
			verify) words=$(printf '%s\n' "$home/runs"/*) ;; # takes a directory only
			*) return 0 ;;
			esac
			mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$words" -- "$cur")
			return 0
		fi
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _scorer_host scorer-host
