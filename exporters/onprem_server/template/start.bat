@echo off
rem Makes the environment on the first start, then serves. Options are passed on: start.bat --help
rem   set PYTHON=C:\Python312\python.exe    makes the environment with another Python
rem   set VENV=C:\env                       uses an environment that holds requirements.txt already
setlocal
cd /d "%~dp0"
set "PYTHONUTF8=1"
if defined VENV goto run
set "VENV=.venv"
if exist .venv\ready goto run
if not defined PYTHON set "PYTHON=python"
"%PYTHON%" -c "import sys; sys.exit(sys.version_info < (3, 11))"
if errorlevel 1 (
    echo Python 3.11 or newer is needed; install it, or say set PYTHON=C:\path\to\python.exe 1>&2
    exit /b 1
)
echo Making the environment in %CD%\.venv (once) 1>&2
"%PYTHON%" -m venv .venv || exit /b 1
.venv\Scripts\python -m pip install --quiet --disable-pip-version-check -r requirements.txt || exit /b 1
type nul > .venv\ready
:run
"%VENV%\Scripts\python" -m server %*
exit /b %ERRORLEVEL%
