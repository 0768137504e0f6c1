' The ribbon's callbacks. Python does the work (valet_xl_excel.ribbon) and gives the message for the user.
' A control's tag is the name of its command or option. build_xlam.py fills in what is in braces.
Option Explicit

Private Const ADDIN_VERSION As String = "{addin_version}"
Private Const XLWINGS_VERSION As String = "{xlwings_version}"
Private Const NAMES_BEGIN As String = "{names}"
Private Const SWITCH_ON As String = "{on}"
Private Const SWITCH_OFF As String = "{off}"

Private Bar As IRibbonUI
Private ClearAt As Date

Public Sub RibbonLoaded(Ribbon As IRibbonUI)
    Set Bar = Ribbon
End Sub

' Show the settings of the workbook that is now in front.
Public Sub RefreshControls()
    If Not Bar Is Nothing Then Bar.Invalidate
End Sub

' -- commands

Public Sub CommandChosen(Control As IRibbonControl)
    Dim Message As String
    Perform Control.Tag, Message
    If Message <> "" Then MsgBox Message, vbInformation, "Bridge"
    KeepStatusBar
End Sub

' Python is ended from here, as it may not answer.
Public Sub RestartChosen(Control As IRibbonControl)
    Python.Restart
    MsgBox "The next formula or command starts Python again.", vbInformation, "Bridge"
End Sub

' Do a command, and give what there is to say. A Sub, because cells can call functions.
Public Sub Perform(ByVal Command As String, ByRef Message As String)
    If Not ActiveWorkbook Is Nothing Then
        Message = Answer(Command)
    ElseIf Not Application.ActiveProtectedViewWindow Is Nothing Then
        Message = "The workbook is in Protected View (press Enable Editing, then try again)."
    Else
        Message = "No workbook is open."
    End If
End Sub

' The status bar is Excel's again after ten seconds in which it can be read. An earlier command's end does not count.
Private Sub KeepStatusBar()
    Dim Procedure As String
    Procedure = "'" & ThisWorkbook.Name & "'!valet_ribbon.ClearStatusBar"
    If ClearAt > Now Then Application.OnTime ClearAt, Procedure, , False
    ClearAt = Now + TimeSerial(0, 0, 10)
    Application.OnTime ClearAt, Procedure
End Sub

Public Sub ClearStatusBar()
    ClearAt = 0
    Application.StatusBar = False
End Sub

Private Function Answer(Command As String) As String
    On Error GoTo Failed
    Answer = Python.Answered("run", Array(Command, ADDIN_VERSION, XLWINGS_VERSION, Python.LastFailure))
    Exit Function
Failed:
    Answer = "Python did not answer: " & Err.Description & vbLf & vbLf & _
        "In a terminal, valet-xl addin status lists what is missing. Add-in " & ADDIN_VERSION & "."
End Function

' -- settings, which the workbook remembers under hidden names

Public Sub WordShown(Control As IRibbonControl, ByRef Index As Variant)
    Dim Words() As String, Kept As String, At As Long
    Words = Split(WordsOf(Control.Tag), ",")
    Kept = Remembered(Control.Tag)
    Index = 0 ' the default
    For At = 0 To UBound(Words)
        If Words(At) = Kept Then Index = At
    Next
End Sub

Public Sub WordChosen(Control As IRibbonControl, ItemId As String, Index As Integer)
    Remember Control.Tag, Split(WordsOf(Control.Tag), ",")(Index)
End Sub

Public Sub SwitchShown(Control As IRibbonControl, ByRef Pressed As Variant)
    Pressed = (Remembered(Control.Tag) = SWITCH_ON)
End Sub

Public Sub SwitchChosen(Control As IRibbonControl, Pressed As Boolean)
    Remember Control.Tag, IIf(Pressed, SWITCH_ON, SWITCH_OFF)
End Sub

' The default is the first of an option's words.
Private Function WordsOf(Setting As String) As String
    Select Case Setting
{words}
    End Select
End Function

Private Function Remembered(Setting As String) As String
    If ActiveWorkbook Is Nothing Then Exit Function
    On Error Resume Next ' a workbook that remembers nothing has no such name
    Remembered = Replace(Mid$(ActiveWorkbook.Names(NAMES_BEGIN & Setting).RefersTo, 2), """", "")
End Function

Private Sub Remember(Setting As String, Word As String)
    If ActiveWorkbook Is Nothing Then Exit Sub
    On Error GoTo Failed
    ActiveWorkbook.Names.Add Name:=NAMES_BEGIN & Setting, RefersTo:="=""" & Word & """", Visible:=False
    Exit Sub
Failed:
    MsgBox "This workbook does not take the setting: " & Err.Description, vbInformation, "Bridge"
    RefreshControls
End Sub
